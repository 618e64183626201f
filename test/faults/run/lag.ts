import { Admin } from '@platformatic/kafka';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';

/** What each group of consumers must have read. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'rastro.access-keeper': [TOPICS.clients.name, TOPICS.tokens.name, TOPICS.parties.name],
  'rastro.device-keeper': [TOPICS.deviceLifecycle.name, TOPICS.locations.name],
  'rastro.command-keeper': [TOPICS.providerCommands.name, TOPICS.providerCommandResults.name],
  'rastro.delivery-keeper': [TOPICS.deliveryLocations.name],
  'rastro.authorization-keeper': [TOPICS.authorizations.name, TOPICS.authorizationCalls.name],
  'rastro.dispatcher': [TOPICS.providerCommands.name],
  'rastro.shipment-keeper': [TOPICS.notifications.name],
  'rastro.table-writer': Object.keys(TABLE_WRITER_LIMITS.tables),
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

/** True when every group has shared out its partitions and nobody joins or leaves. */
export async function groupsAreStable(brokers: readonly string[]): Promise<boolean> {
  const admin = new Admin({ clientId: 'faults-groups', bootstrapBrokers: [...brokers] });
  try {
    const groups = await admin.describeGroups({ groups: Object.keys(GROUPS) });
    return [...groups.values()].every(({ state }) => state.toLowerCase() === 'stable');
  } finally {
    await admin.close();
  }
}
