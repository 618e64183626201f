/** One request of the collection: an operation, and what it has other than the document shows. */
export interface StoryStep {
  readonly id: string;
  /** Name of a further request of an operation that the collection has already. */
  readonly again?: string;
  /** Why it is called again, for its documentation. */
  readonly because?: string;
  /** Variable of its bearer token, or the variables of Basic credentials before `_id`. */
  readonly as?: string;
  /** Other values of parameters; one that is optional is sent only if it is here. */
  readonly params?: Readonly<Record<string, string>>;
  /** Members in place of those of the example. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** BodyVariables for later requests, by an expression of the answer. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Lines that run once the answer is there. */
  readonly after?: readonly string[];
  /** The platform may know a moment later what was sent: ask until it is no 404. */
  readonly waits?: boolean;
}

const COMMANDER = 'token_of_platform';
const audience = (name: string, keep: string, as?: string): StoryStep => ({
  id: 'issue-token', again: keep.replaceAll('_', '-'),
  because: as === undefined
    ? `A token is for one audience. This one is for \`${name}\`.`
    : `A token for \`${name}\` of the platform's own client, which commands the provider.`,
  body: { audience: name }, keep: { [keep]: 'res.body.access_token' },
  ...(as === undefined ? {} : { as }),
});
const NAME = { external_entity_id: '{{external_entity_id}}' };
const ENTITY = { ...NAME, external_entity_type: '{{external_entity_type}}' };

/**
 * Every request in the order in which a fresh platform gives each its success, by folder. The dry
 * run of a call is put before it.
 */
export const STORY: Readonly<Record<string, readonly StoryStep[]>> = {
  tokens: [
    {
      id: 'issue-token',
      keep: { token_rtt: 'res.body.access_token' },
      after: [
        '// Ids that no run before has used.',
        'const run = Date.now();',
        'bru.setVar("at", new Date(run - 60_000).toISOString());',
        'bru.setVar("transport_id", run);',
        'bru.setVar("shipment_id", String(run));',
        'bru.setVar("transport_order_id", `to-${run}-1`);',
        'bru.setVar("external_entity_id", `truck-${run}`);',
        'bru.setVar("traceable_id", String(run));',
        'bru.setVar("request_id", `cmVxdWV${run}`);',
      ],
    },
    audience('rtt', 'token_to_revoke'),
    audience('revoke', 'token_revoke'),
    audience('authorizations', 'token_authorizations'),
    audience('logistic-feed', 'token_logistic_feed'),
    audience('tracking-pull', 'token_tracking_pull'),
    audience('platform', 'token_platform'),
    audience('rtt', COMMANDER, 'platform_client'),
    { id: 'revoke-token', body: { token: '{{token_to_revoke}}' } },
  ],
  devices: [
    { id: 'register-device', keep: { device_id: 'res.body.id' } },
    { id: 'start-device-tracking-by-entity', params: ENTITY },
    { id: 'stop-device-tracking-by-entity', params: ENTITY },
    {
      id: 'register-device', again: 'register-device-again', keep: { device_id: 'res.body.id' },
      because: 'A device that was stopped stays so: its entity gets another one.',
    },
    { id: 'start-device-tracking' },
    { id: 'stop-device-tracking' },
    {
      id: 'register-device', again: 'register-device-to-track', keep: { device_id: 'res.body.id' },
      because: 'The device of the folders that follow.',
    },
    {
      id: 'start-device-tracking', again: 'start-device-to-track',
      because: 'The folders that follow send locations of it.',
    },
  ],
  locations: [
    { id: 'send-locations', keep: { ingest_id: 'res.headers["ingest-id"]' } },
    { id: 'send-delivery-locations' },
  ],
  commands: [
    { id: 'provider-command' },
    {
      id: 'send-command', as: COMMANDER, keep: { command_id: 'res.body.command_id' },
      // The one that a provider answers later, in the folder of events.
      body: {
        command: 'process_telemetry_events', id: '{{request_id}}',
        travel: { init_date: '{{$isoTimestamp}}', end_date: '{{$isoTimestamp}}' },
      },
    },
    { id: 'show-command', as: COMMANDER, waits: true },
  ],
  events: [
    { id: 'send-telemetry-events' },
    { id: 'send-deferred-events' },
  ],
  authorizations: [
    { id: 'authorize-shipment', keep: { tracking_number: 'res.body.tracking_number' } },
    { id: 'cancel-shipment' },
    { id: 'list-authorization-calls' },
  ],
  notifications: [
    {
      id: 'push-notifications', keep: { tracking_ingest_id: 'res.headers["ingest-id"]' },
    },
    { id: 'show-tracking-ingest', params: { ingest_id: '{{tracking_ingest_id}}' }, waits: true },
    { id: 'pull-notifications', waits: true },
    { id: 'show-journey', waits: true },
    { id: 'show-shipment-authorization', waits: true },
    { id: 'list-tracking-ingests' },
    { id: 'list-tracking-calls' },
    { id: 'show-tracking-limits' },
    // The party behind the first one: the folder of queries has that one examined.
    { id: 'list-tracking-examinations', keep: { second_party_id: 'res.body.parties[1].party_id' } },
    { id: 'examine-tracking-party', params: { party_id: '{{second_party_id}}' } },
  ],
  platform: [
    { id: 'list-transport-devices' },
    { id: 'show-transport-fix', waits: true },
    { id: 'list-platform-fleet', params: { provider: '{{provider}}' } },
    { id: 'list-platform-entity-devices', params: NAME },
    { id: 'show-platform-device', waits: true },
    { id: 'show-platform-track', waits: true },
    { id: 'show-platform-ingest', waits: true },
    { id: 'list-platform-shipments', params: { shipment_id: '{{shipment_id}}' } },
    { id: 'show-platform-shipment', waits: true },
    { id: 'show-platform-journey', waits: true },
    { id: 'show-platform-place', waits: true },
    { id: 'send-authorization', keep: { call_id: 'res.body.call_id' } },
    { id: 'show-authorization', waits: true },
    { id: 'cancel-authorization' },
    { id: 'resend-authorization' },
    { id: 'list-authorizations' },
    { id: 'list-commands' },
  ],
  queries: [
    { id: 'list-entity-devices', params: NAME },
    { id: 'show-device', waits: true },
    { id: 'show-device-fix', waits: true },
    { id: 'show-device-track', waits: true },
    { id: 'show-traceable-fix', waits: true },
    { id: 'list-fleet-fixes' },
    { id: 'show-ingest', waits: true },
    { id: 'list-ingests' },
    { id: 'list-calls' },
    { id: 'show-scores' },
    { id: 'show-limits' },
    { id: 'list-examinations', keep: { party_id: 'res.body.parties[0].party_id' } },
    { id: 'examine-party', params: { party_id: '{{party_id}}' } },
  ],
  live: [
    { id: 'list-past-fleet' },
    { id: 'list-platform-past-fleet' },
    { id: 'follow-fixes' },
    { id: 'follow-facts' },
    { id: 'follow-tracking-facts' },
    { id: 'follow-platform-fixes' },
    { id: 'follow-platform-facts' },
    { id: 'follow-operator-facts' },
  ],
  operator: [
    { id: 'list-dead-letters' },
    { id: 'show-replay' },
    { id: 'replay-dead-letters' },
    { id: 'show-pipeline' },
    { id: 'list-audits' },
    { id: 'list-overflow' },
    { id: 'decide-overflow', body: { subject: 'provider:{{provider}}', minutes: 1 } },
  ],
  documentation: [
    { id: 'show-openapi' },
    { id: 'show-docs' },
    { id: 'show-interface' },
    { id: 'show-problem' },
  ],
};
