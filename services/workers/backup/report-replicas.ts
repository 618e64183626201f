import type { ReplicaPartition } from './compare-replicas.ts';
import type { BackupReport } from './report.ts';

/** What comparing one replica with the first one found. */
export interface ReplicaCompared {
  readonly name: string;
  /** Records of the log that its writers have not committed, and those of the first one. */
  readonly lag: { readonly first: number; readonly replica: number };
  readonly partitions: readonly ReplicaPartition[];
}

/** The partitions in which replicas differ, how late each is, and the verdict. */
export function reportReplicas(compared: readonly ReplicaCompared[]): BackupReport {
  const differ = compared.filter(({ partitions }) => count(partitions, 'differs') > 0);
  if (compared.length === 0) {
    return {
      value: { equal: false, replicas: [] },
      lines: ['There is one replica: CLICKHOUSE_REPLICAS names no other.'], exitCode: 2,
    };
  }
  return {
    value: { equal: differ.length === 0, replicas: compared },
    lines: [
      ...compared.flatMap(linesOf),
      differ.length === 0
        ? 'The replicas hold the same.'
        : `Not as the first one: ${differ.map(({ name }) => name).join(', ')}.`,
    ],
    exitCode: differ.length === 0 ? 0 : 1,
  };
}

function linesOf({ name, lag, partitions }: ReplicaCompared): readonly string[] {
  return [
    ...partitions.filter(({ verdict }) => verdict !== 'equal').map((each) => (
      `${each.verdict}  ${each.table} ${each.partition}: ${each.rows} rows ${each.hash}, `
        + `${name} ${each.replica_rows} rows ${each.replica_hash}`
    )),
    `${name}: ${count(partitions, 'equal')} partitions are equal, ${count(partitions, 'moving')} `
      + `changed meanwhile, ${count(partitions, 'differs')} differ; `
      + `${lag.replica} records behind the log, the first one ${lag.first}`,
  ];
}

function count(partitions: readonly ReplicaPartition[], verdict: string): number {
  return partitions.filter((each) => each.verdict === verdict).length;
}
