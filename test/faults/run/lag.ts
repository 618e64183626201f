import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import type { Reads } from './reads.ts';

/** Records that each group has not committed yet; rejects while the log cannot be asked. */
export async function readLag(
  { admin }: { readonly admin: Pick<KafkaLog['admin'], 'ranges' | 'committed'> }, reads: Reads,
): Promise<Readonly<Record<string, number>>> {
  // The ends first: what is committed is compared with what was there before.
  const ranges = await admin.ranges([...new Set([...reads.values()].flat())]);
  return Object.fromEntries(await Promise.all(
    [...reads].map(async ([group, topics]) => {
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

/** True when every group has assigned its partitions and no member joins or leaves. */
export async function groupsAreStable(
  { admin }: { readonly admin: Pick<KafkaLog['admin'], 'members'> }, reads: Reads,
): Promise<boolean> {
  const groups = await admin.members([...reads.keys()]);
  return groups.length === reads.size
    && groups.every(({ members, isStable }) => isStable && members.length > 0);
}
