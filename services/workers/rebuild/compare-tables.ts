import type { Pause } from '../../kernel/clock.ts';
import type { TablePartition, TableUpkeep } from '../../kernel/table-upkeep.ts';

/** One partition in both databases; a missing one counts as no rows. */
export interface PartitionDifference {
  readonly table: string;
  readonly partition: string;
  readonly rows: number;
  readonly hash: string;
  readonly log_rows: number;
  readonly log_hash: string;
  /** Rows of the log that the tables lack. */
  readonly lacking: number;
}

const ATTEMPTS_MAX = 3;
const RETRY_MS = 3_000;

/**
 * Compares the tables with a database into which the log was written, partition by partition. What
 * lacks rows is compared again, since the table writer is always a moment behind.
 */
export async function compareTables(
  live: TableUpkeep, shadow: TableUpkeep, shadowDatabase: string, pause: Pause,
): Promise<readonly PartitionDifference[]> {
  const expected = await shadow.partitions();
  for (let attempt = 1; ; attempt += 1) {
    const differences = await differ(live, expected, shadowDatabase);
    const isComplete = differences.every(({ lacking }) => lacking === 0);
    if (isComplete || attempt === ATTEMPTS_MAX) return differences;
    await pause(RETRY_MS);
  }
}

async function differ(
  live: TableUpkeep, expected: readonly TablePartition[], shadowDatabase: string,
): Promise<readonly PartitionDifference[]> {
  const found = new Map((await live.partitions()).map((each) => [nameOf(each), each]));
  const all = new Map(expected.map((each) => [nameOf(each), each]));
  const differences: PartitionDifference[] = [];
  for (const name of [...new Set([...found.keys(), ...all.keys()])].sort()) {
    const [mine, log] = [found.get(name), all.get(name)];
    const at = mine ?? log;
    if (at === undefined || (mine?.hash === log?.hash && mine?.rows === log?.rows)) continue;
    differences.push({
      table: at.table, partition: at.partition,
      rows: mine?.rows ?? 0, hash: mine?.hash ?? '0',
      log_rows: log?.rows ?? 0, log_hash: log?.hash ?? '0',
      lacking: log === undefined ? 0 : await live.lacking(at, shadowDatabase),
    });
  }
  return differences;
}

function nameOf({ table, partition }: TablePartition): string {
  return `${table} ${partition}`;
}
