import type { StateDifference, StateRebuilt } from './rebuild-redis.ts';
import type { PartitionDifference } from './compare-tables.ts';
import type { TablePartition } from '../../kernel/table-upkeep.ts';
import type { StateHashes } from './state-hashes.ts';

/** What a rebuild prints: a value for `--json`, lines for people, and the exit code. */
export interface RebuildReport {
  readonly value: unknown;
  readonly lines: readonly string[];
  readonly exitCode: number;
}

interface Written {
  readonly records: number;
  readonly refused: number;
}

/** Counts of each kind, the first differences, and the shards whose hashes differ. */
export function reportStateDifference({ comparison, live, log }: StateDifference): RebuildReport {
  const isSame = Object.values(comparison.kinds)
    .every(({ differs, missing, extra }) => differs + missing + extra === 0);
  const rows = Object.entries(comparison.kinds).map(([kind, counts]) => (
    `${kind.padEnd(20)} same ${counts.same}  differs ${counts.differs}  missing ${counts.missing}`
      + `  extra ${counts.extra}`
  ));
  return {
    value: { same: isSame, ...comparison, live, log },
    lines: [
      ...rows,
      ...comparison.differences.map(({ name, verdict }) => `  ${verdict}  ${name}`),
      ...shardsThatDiffer(live, log),
      `state ${live.all} (${live.entries} entries), by the log ${log.all} (${log.entries})`,
      isSame ? 'The state is what the log says.' : 'The state is not what the log says.',
    ],
    exitCode: isSame ? 0 : 1,
  };
}

/** The hashes before and after. */
export function reportStateRebuilt({ removed, before, after }: StateRebuilt): RebuildReport {
  return {
    value: { removed, same: before.all === after.all, before, after },
    lines: [
      `removed ${removed} entries, brought ${after.entries} back`,
      ...shardsThatDiffer(before, after),
      `before ${before.all} (${before.entries} entries)`,
      `after  ${after.all} (${after.entries} entries)`,
    ],
    exitCode: 0,
  };
}

function shardsThatDiffer(a: StateHashes, b: StateHashes): readonly string[] {
  return a.shards.flatMap((hash, shard) => (
    hash === b.shards[shard] ? [] : [`  shard ${shard}: ${hash} -> ${b.shards[shard] ?? ''}`]
  ));
}

/** The partitions that differ; only rows that are lacking are a fault. */
export function reportTablesCompared(
  { written, differences }: {
    readonly written: Written; readonly differences: readonly PartitionDifference[];
  },
): RebuildReport {
  const lacking = differences.reduce((sum, each) => sum + each.lacking, 0);
  return {
    value: { complete: lacking === 0, lacking, ...written, differences },
    lines: [
      ...differences.map((each) => (
        `${each.lacking > 0 ? 'lacks' : 'holds more'}  ${each.table} ${each.partition}: `
          + `${each.rows} rows ${each.hash}, by the log ${each.log_rows} rows ${each.log_hash}, `
          + `lacking ${each.lacking}`
      )),
      wordsFor(written),
      lacking === 0
        ? 'The tables hold all that the log says.' : `The tables lack ${lacking} rows.`,
    ],
    exitCode: lacking === 0 ? 0 : 1,
  };
}

/** Rows and hashes of every partition that changed, before and after. */
export function reportTablesRebuilt(
  { written, before, after }: {
    readonly written: Written;
    readonly before: readonly TablePartition[]; readonly after: readonly TablePartition[];
  },
): RebuildReport {
  const old = new Map(before.map((each) => [`${each.table} ${each.partition}`, each]));
  const changed = after.flatMap((each) => {
    const known = old.get(`${each.table} ${each.partition}`);
    return known?.hash === each.hash && known.rows === each.rows ? [] : [{
      table: each.table, partition: each.partition,
      rows_before: known?.rows ?? 0, hash_before: known?.hash ?? '0',
      rows_after: each.rows, hash_after: each.hash,
    }];
  });
  return {
    value: { ...written, changed, after },
    lines: [
      ...changed.map((each) => (
        `${each.table} ${each.partition}: ${each.rows_before} rows ${each.hash_before} -> `
          + `${each.rows_after} rows ${each.hash_after}`
      )),
      wordsFor(written),
      `${changed.length} partitions changed, ${after.length - changed.length} are as they were`,
    ],
    exitCode: 0,
  };
}

function wordsFor({ records, refused }: Written): string {
  return `wrote ${records} records, ${refused} of them refused as they were when they came`;
}
