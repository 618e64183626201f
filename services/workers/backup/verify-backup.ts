import type { Pause } from '../../kernel/clock.ts';
import type { TablePartition, TableUpkeep } from '../../kernel/table-upkeep.ts';

/** How a partition of the restored tables compares with the running one. */
export type PartitionVerdict = 'equal' | 'moving' | 'lacks' | 'holds_more';

/** One partition, in the running tables and in those that a backup and its tail made. */
export interface PartitionVerified {
  readonly table: string;
  readonly partition: string;
  readonly verdict: PartitionVerdict;
  readonly rows: number;
  readonly hash: string;
  readonly restored_rows: number;
  readonly restored_hash: string;
  /** Rows of the running tables that the restored ones lack. */
  readonly lacking: number;
}

/** What verifying takes. */
export interface VerifyPorts {
  readonly live: TableUpkeep;
  readonly liveDatabase: string;
  readonly restored: TableUpkeep;
  /** Brings the restored tables to the end that the log has now. */
  readonly writeTail: () => Promise<void>;
  readonly pause: Pause;
}

const ATTEMPTS_MAX = 3;
const RETRY_MS = 3_000;

/**
 * Compares, partition by partition, what a restore would give with the running tables. These are
 * read before and after: one that changes meanwhile is `moving`. What lacks rows is compared again
 * after the log was followed to its new end, since both writers are a moment apart.
 */
export async function verifyTables(ports: VerifyPorts): Promise<readonly PartitionVerified[]> {
  for (let attempt = 1; ; attempt += 1) {
    const verified = await compareOnce(ports);
    if (verified.every(({ verdict }) => verdict !== 'lacks') || attempt === ATTEMPTS_MAX) {
      return verified;
    }
    await ports.pause(RETRY_MS);
  }
}

async function compareOnce(
  { live, liveDatabase, restored, writeTail }: VerifyPorts,
): Promise<readonly PartitionVerified[]> {
  const before = byName(await live.partitions());
  await writeTail();
  const mine = byName(await restored.partitions());
  const after = byName(await live.partitions());
  const verified: PartitionVerified[] = [];
  for (const name of [...new Set([...after.keys(), ...mine.keys()])].sort()) {
    const [running, own, was] = [after.get(name), mine.get(name), before.get(name)];
    const at = running ?? own;
    if (at === undefined) continue;
    const isEqual = hashOf(own) === hashOf(running) || hashOf(own) === hashOf(was);
    const isMoving = hashOf(was) !== hashOf(running);
    const lacking = isEqual || isMoving || running === undefined
      ? 0 : await restored.lacking(at, liveDatabase);
    verified.push({
      table: at.table, partition: at.partition,
      verdict: isEqual ? 'equal' : isMoving ? 'moving' : lacking > 0 ? 'lacks' : 'holds_more',
      rows: running?.rows ?? 0, hash: running?.hash ?? '0',
      restored_rows: own?.rows ?? 0, restored_hash: own?.hash ?? '0', lacking,
    });
  }
  return verified;
}

function byName(partitions: readonly TablePartition[]): ReadonlyMap<string, TablePartition> {
  return new Map(partitions.map((each) => [`${each.table} ${each.partition}`, each]));
}

function hashOf(partition: TablePartition | undefined): string {
  return partition === undefined ? '0 0' : `${partition.rows} ${partition.hash}`;
}
