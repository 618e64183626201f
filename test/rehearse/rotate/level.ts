import { waitFor } from '../../../infra/local/wait.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';

const LEVEL_MS_MAX = 60_000;

/** Resolves when a group has committed every record that a topic holds. */
export function untilLevel({ kafka }: TestCluster, group: string, topic: string): Promise<void> {
  return waitFor(async () => {
    const ranges = await kafka.admin.ranges([topic]);
    const committed = await kafka.admin.committed(group, [topic]);
    return ranges.every(({ partition, start, end }) => (
      (committed.get(`${topic}:${partition}`) ?? start) >= end
    ));
  }, { what: `${group} at the end of ${topic}`, deadlineMs: LEVEL_MS_MAX });
}
