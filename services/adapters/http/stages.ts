import type { Code } from '../../kernel/codes.ts';
import type { CallTools, StageEnding, RequestContext, StageName } from './request-context.ts';
import { checkFreshness, runOperation } from './stages/act.ts';
import {
  authorizeCaller, checkHeaders, readFacts, readToken, waitForSlot,
} from './stages/caller.ts';
import { authorizeHead } from './stages/head.ts';
import { checkQuery, checkSchema, parseBody, receiveBody } from './stages/input.ts';

/**
 * What a stage works on. A refusal of the `input` waits until admission lets the caller
 * in, and the later stages of the input do not run. Any other refusal ends the call at once.
 */
type StageKind = 'caller' | 'input' | 'act';

/** One stage of a request: what it does, and the codes that it may end a call with. */
export interface RequestStage {
  readonly name: StageName;
  readonly kind: StageKind;
  /** For people: what is done, and for which operations. */
  readonly does: string;
  /** Every code that it may give; empty where only the operation knows them. */
  readonly refuses: readonly Code[];
  /** Gives the ending of the call, or nothing when it goes on. */
  readonly run: (
    tools: CallTools, context: RequestContext,
  ) => StageEnding | undefined | Promise<StageEnding | undefined>;
}

/**
 * The stages of every request, in order. `answer-call.ts` runs them, metrics and spans name them,
 * and the READMEs of this room and of the gateways list them.
 */
export const STAGES: readonly RequestStage[] = [
  {
    name: 'headers', kind: 'caller',
    does: '`Authorization`, `Host`, `Content-Type` and their like are sent at most once each, and no header'
      + ' wishes a dry run',
    refuses: ['duplicate_header', 'invalid_parameter'], run: checkHeaders,
  },
  {
    name: 'token', kind: 'caller',
    does: 'the token has the form of one; before the body is read',
    refuses: ['invalid_token'], run: readToken,
  },
  {
    name: 'head', kind: 'caller',
    does: 'a token that was not let in recently is authorized before the body is read',
    refuses: [
      'rate_limited', 'state_unavailable', 'state_not_ready', 'invalid_token', 'wrong_audience',
      'insufficient_scope', 'client_id_required', 'client_id_mismatch', 'provider_not_allowed',
    ],
    run: authorizeHead,
  },
  {
    name: 'query', kind: 'input',
    does: 'each parameter stands once, and `country_id` is served here',
    refuses: ['missing_parameter', 'invalid_parameter'], run: checkQuery,
  },
  {
    name: 'body', kind: 'input',
    does: 'content type, and the body up to its limit after decompression',
    refuses: [
      'unsupported_media_type', 'payload_too_large', 'malformed_body', 'capacity_exhausted',
    ],
    run: receiveBody,
  },
  {
    name: 'slot', kind: 'caller',
    does: 'a client with too many calls in flight waits while others call; large bodies are in a queue',
    refuses: [], run: waitForSlot,
  },
  {
    name: 'json', kind: 'input',
    does: 'the body is exactly one JSON value (or one form), within its limits',
    refuses: [
      'malformed_json', 'invalid_encoding', 'duplicate_key', 'too_deep', 'number_out_of_range',
      'payload_too_large',
    ],
    run: parseBody,
  },
  {
    name: 'schema', kind: 'input',
    does: 'the body follows its schema; up to 50 faulty places are listed',
    refuses: ['validation_failed', 'payload_too_large', 'reserved_name'], run: checkSchema,
  },
  {
    name: 'admission', kind: 'caller',
    does: 'reads the facts about caller, device and quota in one round trip, and charges the quota',
    refuses: ['state_unavailable', 'state_not_ready'], run: readFacts,
  },
  {
    name: 'authorization', kind: 'caller',
    does: 'decides from these facts: token, audience, scope, client, provider, device, quota',
    refuses: [
      'invalid_token', 'wrong_audience', 'insufficient_scope', 'client_id_required',
      'client_id_mismatch', 'provider_not_allowed', 'device_not_allowed', 'tracking_not_started',
      'tracking_stopped', 'rate_limited',
    ],
    run: authorizeCaller,
  },
  {
    name: 'freshness', kind: 'act',
    does: 'what admission saw of a device is not too old to act on',
    refuses: ['state_unavailable'], run: checkFreshness,
  },
  {
    name: 'operation', kind: 'act',
    does: 'append, decide or read, within the deadline',
    refuses: [], run: runOperation,
  },
];
