/**
 * What kind of "no" a code is. The kind decides what a caller may do next: correct the input, get
 * other rights, wait, choose another target, or simply repeat.
 */
export type CodeKind = 'invalid' | 'denied' | 'throttled' | 'refused' | 'fault' | 'poison';

/** What a caller does after an answer with a code of each kind. */
export const KIND_ACTIONS: Readonly<Record<CodeKind, string>> = {
  invalid: 'corrects it; the same again gets the same answer',
  denied: 'gets a token, a right or a started device first',
  refused: 'checks the name',
  throttled: 'waits as long as `Retry-After` says, then sends the same again',
  fault: 'sends the very same body again until it is answered; a repeat is harmless',
  poison: 'never sees it: it becomes a dead letter for an operator',
};

interface CodeRow {
  readonly kind: CodeKind;
  readonly retryable: boolean;
  readonly meaning: string;
}

const invalid = (meaning: string): CodeRow => ({ kind: 'invalid', retryable: false, meaning });
const denied = (meaning: string): CodeRow => ({ kind: 'denied', retryable: false, meaning });
const throttled = (meaning: string): CodeRow => ({ kind: 'throttled', retryable: true, meaning });
const refused = (meaning: string): CodeRow => ({ kind: 'refused', retryable: false, meaning });
const fault = (meaning: string): CodeRow => ({ kind: 'fault', retryable: true, meaning });
const poison = (meaning: string): CodeRow => ({ kind: 'poison', retryable: false, meaning });

/**
 * Every code that an answer, a dead letter or a metric may carry, in one table. A code stays the
 * same when its text changes (decisions.md, error body).
 */
export const CODES = {
  // The whole body or request is unusable.
  malformed_json: invalid('The body is not one JSON value.'),
  invalid_encoding: invalid('The body is not valid UTF-8, or holds NUL or an unpaired surrogate.'),
  duplicate_key: invalid('An object names the same key twice.'),
  too_deep: invalid('The body is nested deeper than the limit.'),
  number_out_of_range: invalid('A number cannot be kept exactly.'),
  reserved_name: invalid('The name is reserved for the platform.'),
  payload_too_large: invalid('The body, or a list in it, is over its limit.'),
  unsupported_media_type: invalid('The content type or content encoding is not accepted here.'),
  malformed_body: invalid('The body cannot be decompressed or ended too early.'),
  validation_failed: invalid('The request does not follow its schema.'),
  missing_parameter: invalid('A mandatory parameter is missing.'),
  invalid_parameter: invalid('A parameter has a value that is not allowed.'),
  duplicate_header: invalid('A header that must be single was sent more than once.'),
  // One field of the body.
  required: invalid('A mandatory field is missing.'),
  type: invalid('A field has the wrong type.'),
  enum: invalid('A field has a value outside its list.'),
  const: invalid('A field must have one fixed value.'),
  pattern: invalid('A field does not have its required form.'),
  format: invalid('A field is not of its named format.'),
  minimum: invalid('A number is below its least value.'),
  maximum: invalid('A number is above its greatest value.'),
  min_length: invalid('A text is too short.'),
  max_length: invalid('A text is too long.'),
  min_items: invalid('A list has too few items.'),
  max_items: invalid('A list has too many items.'),
  not_allowed: invalid('A field or combination of fields is not allowed.'),
  telemetry_request_unknown: invalid('No command asked this provider for these events.'),
  command_key_reused: invalid('The key or id belongs to a command with another body.'),
  // The platform asks carriers for authorizations.
  authorization_not_parked: invalid('It is still being tried, or authorized already.'),
  authorization_ended: invalid('It is authorized, or parked already.'),
  // Token endpoints (RFC 6749 names).
  invalid_request: invalid('The token request is malformed.'),
  unsupported_grant_type: invalid('The grant type is not client_credentials.'),
  invalid_client: denied('The client credentials are not valid.'),
  invalid_target: denied('The client has no access to this audience.'),
  // A call with a token.
  invalid_token: denied('The access token is missing, unknown, expired or revoked.'),
  wrong_audience: denied('The token was issued for another audience.'),
  insufficient_scope: denied('The token lacks the scope of this operation.'),
  client_id_mismatch: denied('X-Client-Id differs from the client of the token.'),
  client_id_required: denied('X-Client-Id is mandatory here.'),
  provider_not_allowed: denied('The provider of the path is not one of the caller.'),
  device_not_allowed: denied('The device is unknown to the caller.'),
  tracking_not_started: denied('The device has not been started.'),
  tracking_stopped: denied('The device has been stopped.'),
  monitoring_not_started: denied('The transport has no open start_tracking.'),
  rate_limited: throttled('The caller is above its limit.'),
  capacity_exhausted: throttled('The gateway holds as much unsent work as it may.'),
  device_not_found: refused('No such device of the caller.'),
  position_not_found: refused('No position of it is known.'),
  provider_not_found: refused('No client has this provider.'),
  party_not_found: refused('No active party serves this provider.'),
  command_not_found: refused('No such command of this provider.'),
  ingest_not_found: refused('No such call of the caller, or nothing is known of it yet.'),
  authorization_not_found: refused('No such authorization was asked for.'),
  shipment_not_found: refused('No such shipment of the caller.'),
  route_not_found: refused('No operation at this path and method.'),
  method_not_allowed: refused('The path has operations, but none with this method.'),
  // The outside world does not answer as it should.
  log_unavailable: fault('The log does not take records now.'),
  log_timeout: fault('The log did not confirm in time; the outcome is unknown.'),
  state_unavailable: fault('The state store does not answer.'),
  state_not_ready: fault('The state store is being rebuilt from the log.'),
  state_busy: fault('Another call is deciding about the same thing.'),
  registry_unavailable: fault('The schema registry does not answer.'),
  sink_unavailable: fault('The analytical store does not answer.'),
  images_unavailable: fault('The store of images does not take them.'),
  personal_key_unavailable: fault('Personal data cannot be sealed or opened.'),
  shutting_down: fault('This process is going away.'),
  internal: fault('A defect in this service.'),
  // A record that can never be processed.
  undecodable: poison('The record is not in the wire format.'),
  schema_unknown: poison('The record names a schema that the registry does not have.'),
  record_invalid: poison('The record does not follow its schema.'),
  sink_rejected: poison('The analytical store refuses the data of this record.'),
  defect: poison('The process of a worker ended at this record each time.'),
  key_parked: poison('A record before it of the same key waits for its repair.'),
} as const satisfies Record<string, CodeRow>;

/** The name of a row of {@link CODES}. */
export type Code = keyof typeof CODES;
