import { waitFor } from '../../infra/local/wait.ts';
import { TOPICS } from '../../schemas/generated/catalog.ts';
import { TABLE_WRITER_GROUP } from '../../services/workers/assemble-config.ts';
import { openBenchLog } from './bench-log.ts';
import type { BenchHouse } from './house.ts';

const LEVEL_MS_MAX = 300_000;

/** Waits until the table-writer has written all locations of the log, so that none comes later. */
export async function untilLevel({ system }: Pick<BenchHouse, 'system'>): Promise<void> {
  const log = openBenchLog(system.stack.env.KAFKA_BROKERS.split(','));
  try {
    await waitFor(() => log.isRead(TABLE_WRITER_GROUP, TOPICS.locations.name), {
      what: 'The table-writer at the end of the log', deadlineMs: LEVEL_MS_MAX, everyMs: 100,
    });
  } finally {
    await log.close();
  }
}
