import type { OPERATIONS, TOPICS } from '../../../schemas/generated/catalog.ts';
import type { ScriptName } from '../../../services/adapters/redis/script-runner.ts';
import type { CommitOf } from '../../../services/adapters/redis/state-store.ts';
import type { Step } from '../../../services/adapters/signals/steps.ts';
import type { WriterTable } from '../../../services/workers/table-writer/config.ts';
import type { WorkerId } from '../../../services/workers/workers.ts';

type At<Steps extends Step, Of extends string> = `${Steps}/${Of}`;
type TopicName = (typeof TOPICS)[keyof typeof TOPICS]['name'];
/** The endpoints of a provider and of a webhook. */
type OutboundPath = '/rtt/commands' | '/hook';

/** Every step that the product can pass: what it does not pass does not compile. */
export type Failpoint =
  | At<'http.before-answer', keyof typeof OPERATIONS>
  | At<'redis.before' | 'redis.after', ScriptName | CommitOf>
  | At<'kafka.before-send' | 'kafka.after-ack', TopicName>
  | At<'consumer.fetched' | 'consumer.before-commit' | 'consumer.after-commit',
    `rastro.${WorkerId}`>
  | At<'clickhouse.before' | 'clickhouse.after', WriterTable>
  | At<'outbound.before' | 'outbound.after', OutboundPath>;

/** Steps of a gateway between receiving and answering, by what is done there. */
export const GATEWAY_STEPS = [
  'redis.before/admit', 'redis.after/admit',
  'redis.before/commit-entity', 'redis.after/commit-entity', 'redis.after/commit-lease',
  'redis.before/commit-device', 'redis.after/commit-device',
  'redis.before/commit-token', 'redis.after/commit-token',
  'redis.before/commit-authorization', 'redis.after/commit-authorization',
  'redis.after/commit-shipment',
  'kafka.before-send/rtt.locations.v1', 'kafka.after-ack/rtt.locations.v1',
  'kafka.before-send/rtt.device-lifecycle.v1', 'kafka.after-ack/rtt.device-lifecycle.v1',
  'kafka.before-send/oauth.tokens.v1', 'kafka.after-ack/oauth.tokens.v1',
  'kafka.after-ack/shipment.authorizations.v1', 'kafka.after-ack/shipment.notifications.v1',
  'kafka.after-ack/provider.commands.v1',
  'http.before-answer/send-locations', 'http.before-answer/register-device',
  'http.before-answer/revoke-token', 'http.before-answer/authorize-shipment',
] as const satisfies readonly Failpoint[];

/** Steps of the workers between reading and committing. */
export const WORKER_STEPS = [
  'consumer.fetched/rastro.table-writer', 'clickhouse.before/in_locations',
  'clickhouse.after/in_locations', 'clickhouse.after/in_delivery_locations',
  'consumer.before-commit/rastro.table-writer', 'consumer.after-commit/rastro.table-writer',
  'consumer.fetched/rastro.projector.devices', 'redis.after/offer-fixes',
  'consumer.before-commit/rastro.projector.devices',
  'consumer.fetched/rastro.journey', 'kafka.after-ack/shipment.journey.v1',
  'redis.before/commit-shipment', 'redis.after/commit-shipment',
  'consumer.before-commit/rastro.journey',
  'consumer.before-commit/rastro.projector.access', 'redis.after/commit-monitoring',
  'consumer.before-commit/rastro.projector.authorizations', 'redis.after/commit-authorization',
  'consumer.before-commit/rastro.projector.deliveries',
  'consumer.before-commit/rastro.projector.commands',
] as const satisfies readonly Failpoint[];

/** Steps of the command sender between reading a command and recording its result. */
export const SENDER_STEPS = [
  'outbound.before//rtt/commands', 'outbound.after//rtt/commands',
  'kafka.before-send/provider.command-results.v1', 'kafka.after-ack/provider.command-results.v1',
  'consumer.before-commit/rastro.parties.commands',
] as const satisfies readonly Failpoint[];

/** Steps of the sender of webhooks between reading a fact and recording its result. */
export const WEBHOOK_STEPS = [
  'outbound.before//hook', 'outbound.after//hook',
  'kafka.after-ack/platform.webhook-deliveries.v1', 'kafka.after-ack/platform.webhook-outboxes.v1',
] as const satisfies readonly Failpoint[];
