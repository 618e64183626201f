import type { Pause } from '../../kernel/clock.ts';
import type { TablePartition, TableUpkeep } from '../../kernel/table-upkeep.ts';

/** How a partition of one replica compares with that of another. */
export type ReplicaVerdict = 'equal' | 'moving' | 'differs';

/** One partition in two replicas; a missing one counts as no rows. */
export interface ReplicaPartition {
  readonly table: string;
  readonly partition: string;
  readonly verdict: ReplicaVerdict;
  readonly rows: number;
  readonly hash: string;
  readonly replica_rows: number;
  readonly replica_hash: string;
}

/** What comparing two replicas takes. */
export interface CompareReplicasPorts {
  readonly first: TableUpkeep;
  readonly replica: TableUpkeep;
  readonly pause: Pause;
}

type Found = ReadonlyMap<string, TablePartition>;

const ATTEMPTS_MAX = 3;
const RETRY_MS = 3_000;
const NO_ROWS = { rows: 0, hash: '0' };

/**
 * Compares two replicas, partition by partition, while both are written. What differs is read
 * again, of the first one before and after: equal is what was equal at one of these moments, and
 * moving what changed meanwhile. Partitions of days that are over do not move.
 */
export async function compareReplicas(
  { first, replica, pause }: CompareReplicasPorts,
): Promise<readonly ReplicaPartition[]> {
  let [mine, its] = [byName(await first.partitions()), byName(await replica.partitions())];
  const compared = new Map([...mine, ...its].map(([name, at]) => (
    [name, verdictOf(at, [mine.get(name)], [its.get(name)])]
  )));
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const open = [...compared.values()].filter(({ verdict }) => verdict !== 'equal');
    if (open.length === 0) break;
    if (attempt > 1) await pause(RETRY_MS);
    const before = byName(await first.partitions(open));
    const itsNow = byName(await replica.partitions(open));
    const after = byName(await first.partitions(open));
    for (const at of open) {
      const name = nameOf(at);
      const seen: readonly Found[] = [mine, before, after];
      compared.set(name, verdictOf(
        at, seen.map((each) => each.get(name)), [its, itsNow].map((each) => each.get(name)),
      ));
    }
    [mine, its] = [after, itsNow];
  }
  return [...compared.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

type MaybePartition = TablePartition | undefined;

/** The last of each are shown; the last of `its` was read between the last two of `mine`. */
function verdictOf(
  { table, partition }: Pick<TablePartition, 'table' | 'partition'>,
  mine: readonly MaybePartition[], its: readonly MaybePartition[],
): ReplicaPartition {
  const [own, other] = [mine.at(-1) ?? NO_ROWS, its.at(-1) ?? NO_ROWS];
  const isEqual = mine.slice(-2).some((each) => hashOf(each) === hashOf(its.at(-1)));
  const isMoving = [mine, its].some((each) => new Set(each.map(hashOf)).size > 1);
  return {
    table, partition,
    verdict: isEqual ? 'equal' : isMoving ? 'moving' : 'differs',
    rows: own.rows, hash: own.hash, replica_rows: other.rows, replica_hash: other.hash,
  };
}

function byName(partitions: readonly TablePartition[]): Found {
  return new Map(partitions.map((each) => [nameOf(each), each]));
}

function nameOf({ table, partition }: Pick<TablePartition, 'table' | 'partition'>): string {
  return `${table} ${partition}`;
}

function hashOf(partition: MaybePartition): string {
  return partition === undefined ? '0 0' : `${partition.rows} ${partition.hash}`;
}
