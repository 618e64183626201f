import { waitFor } from '../../infra/local/wait.ts';
import { TOPICS } from '../../schemas/generated/catalog.ts';
import { groupOf } from '../../services/workers/workers.ts';
import { openBenchLog } from './bench-log.ts';
import type { BenchCluster } from './cluster.ts';

const LEVEL_MS_MAX = 300_000;

/** What a row may have left behind: its locations, and the devices that a fleet grew by. */
const WRITTEN = [TOPICS.locations.name, TOPICS.deviceLifecycle.name];

/** Waits until the table-writer has written all that rows left in the log: none comes later. */
export async function untilLevel({ local }: Pick<BenchCluster, 'local'>): Promise<void> {
  const log = openBenchLog(local.stack.env.KAFKA_BROKERS.split(','));
  try {
    for (const topic of WRITTEN) {
      await waitFor(() => log.isRead(groupOf('table-writer'), topic), {
        what: `The table-writer at the end of ${topic}`, deadlineMs: LEVEL_MS_MAX, everyMs: 100,
      });
    }
  } finally {
    await log.close();
  }
}
