import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';

/** What each group of consumers must have read. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'rastro.access-keeper': [TOPICS.clients.name, TOPICS.tokens.name, TOPICS.parties.name],
  'rastro.device-keeper': [TOPICS.deviceLifecycle.name, TOPICS.locations.name],
  'rastro.command-keeper': [TOPICS.providerCommands.name, TOPICS.providerCommandResults.name],
  'rastro.delivery-keeper': [TOPICS.deliveryLocations.name],
  'rastro.authorization-keeper': [TOPICS.authorizations.name, TOPICS.authorizationCalls.name],
  'rastro.dispatcher': [TOPICS.providerCommands.name],
  'rastro.shipment-keeper': [TOPICS.notifications.name],
  'rastro.table-writer': [
    TOPICS.locations.name, TOPICS.telemetryEvents.name, TOPICS.deferredEvents.name,
    TOPICS.deliveryLocations.name, TOPICS.authorizations.name,
  ],
};

/** Records that each group has not committed yet; rejects while the log cannot be asked. */
export async function readLag({ admin }: KafkaLog): Promise<Readonly<Record<string, number>>> {
  // The ends first: what is committed is compared with what was there before.
  const ranges = await admin.ranges([...new Set(Object.values(GROUPS).flat())]);
  return Object.fromEntries(await Promise.all(
    Object.entries(GROUPS).map(async ([group, topics]) => {
      const committed = await admin.committed(group, topics);
      const own = ranges.filter(({ topic }) => topics.includes(topic));
      return [group, Number(own.reduce((sum, { topic, partition, start, end }) => {
        const left = end - (committed.get(`${topic}:${partition}`) ?? start);
        return left > 0n ? sum + left : sum;
      }, 0n))] as const;
    }),
  ));
}

/** The sum over all groups. */
export function totalLag(lag: Readonly<Record<string, number>>): number {
  return Object.values(lag).reduce((sum, one) => sum + one, 0);
}
