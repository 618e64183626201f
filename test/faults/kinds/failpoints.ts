/** Steps of a gateway between receiving and answering, by what is done there. */
export const GATEWAY_STEPS = [
  'redis.before/admit', 'redis.after/admit',
  'redis.after/claim-registration', 'redis.after/claim-transition', 'redis.after/apply-devices',
  'redis.before/apply-devices', 'redis.after/apply-tokens', 'redis.before/apply-tokens',
  'redis.after/claim-authorization', 'redis.after/apply-authorization',
  'redis.after/claim-shipments',
  'kafka.before-send/rtt.locations.v1', 'kafka.after-ack/rtt.locations.v1',
  'kafka.before-send/rtt.device-lifecycle.v1', 'kafka.after-ack/rtt.device-lifecycle.v1',
  'kafka.before-send/oauth.tokens.v1', 'kafka.after-ack/oauth.tokens.v1',
  'kafka.after-ack/shipment.authorizations.v1', 'kafka.after-ack/shipment.notifications.v1',
  'kafka.after-ack/provider.commands.v1',
  'http.before-answer/send-locations', 'http.before-answer/register-device',
  'http.before-answer/revoke-token', 'http.before-answer/authorize-shipment',
] as const;

/** Steps of the workers between reading and committing. */
export const WORKER_STEPS = [
  'consumer.fetched/rastro.table-writer', 'clickhouse.before/in_locations',
  'clickhouse.after/in_locations', 'clickhouse.after/in_delivery_locations',
  'consumer.before-commit/rastro.table-writer', 'consumer.after-commit/rastro.table-writer',
  'consumer.fetched/rastro.projector.devices', 'redis.after/offer-positions',
  'consumer.before-commit/rastro.projector.devices',
  'consumer.fetched/rastro.journey', 'kafka.after-ack/shipment.journey.v1',
  'redis.before/put-journeys', 'redis.after/put-journeys',
  'consumer.before-commit/rastro.journey',
  'consumer.before-commit/rastro.projector.access', 'redis.after/apply-tokens',
  'consumer.before-commit/rastro.projector.authorizations', 'redis.after/apply-authorization',
  'consumer.before-commit/rastro.projector.deliveries',
  'consumer.before-commit/rastro.projector.commands',
] as const;

/** Steps of the command sender between reading a command and recording what came of it. */
export const SENDER_STEPS = [
  'outbound.before//rtt/commands', 'outbound.after//rtt/commands',
  'kafka.before-send/provider.command-results.v1', 'kafka.after-ack/provider.command-results.v1',
  'consumer.before-commit/rastro.parties.commands',
] as const;
