import type { TableBackup } from '../../kernel/table-backups.ts';
import type { BackupMade } from './make-backup.ts';
import type { BackupsPruned } from './prune-backups.ts';
import type { Restored, TailWritten } from './restore-backup.ts';
import type { PartitionVerified } from './verify-backup.ts';

/** What a backup or a restore prints: a value for `--json`, lines for people, the exit code. */
export interface BackupReport {
  readonly value: unknown;
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** The name of the backup, which a restore asks for, how long it took, and what was deleted. */
export function reportBackup(
  { backup, tookMs }: BackupMade, pruned: BackupsPruned | undefined,
): BackupReport {
  const { removed, oldestKept } = pruned ?? { removed: [], oldestKept: undefined };
  return {
    value: { ...shown(backup), took_ms: tookMs, ...(pruned === undefined ? {} : { removed }) },
    lines: [
      `backup ${backup.name} is whole after ${seconds(tookMs)} s, ${wordsFor(backup)}`,
      ...(pruned === undefined ? [] : [oldestKept === undefined
        ? 'no old backup was deleted: fewer chains are whole than are kept'
        : `${removed.length} backups from before ${oldestKept} were deleted`]),
    ],
    exitCode: 0,
  };
}

/** What came back, and what neither the backup nor the log holds. */
export function reportRestore(restored: Restored): BackupReport {
  if (restored.kind === 'has_rows') {
    return {
      value: { restored: false },
      lines: ['The tables have rows. With --replace they are removed and those of the backup'
        + ' take their place; the log brings what came after it.'],
      exitCode: 2,
    };
  }
  const { backup, tail } = restored;
  return {
    value: { restored: true, ...shown(backup), ...tailValue(tail) },
    lines: [
      `backup ${backup.name} is back, ${wordsFor(backup)}`,
      ...tailLines(tail),
    ],
    exitCode: tail.gone.length > 0 ? 1 : 0,
  };
}

/** The partitions that differ, and the verdict. */
export function reportVerified(
  { backup, tail, partitions }: {
    readonly backup: TableBackup; readonly tail: TailWritten;
    readonly partitions: readonly PartitionVerified[];
  },
): BackupReport {
  const count = (verdict: string): number =>
    partitions.filter((each) => each.verdict === verdict).length;
  const isWhole = count('lacks') === 0 && tail.gone.length === 0;
  return {
    value: { whole: isWhole, ...shown(backup), ...tailValue(tail), partitions },
    lines: [
      ...partitions.filter(({ verdict }) => verdict !== 'equal').map((each) => (
        `${each.verdict.replace('_', ' ')}  ${each.table} ${each.partition}: ${each.rows} rows `
          + `${each.hash}, restored ${each.restored_rows} rows ${each.restored_hash}, `
          + `lacking ${each.lacking}`
      )),
      ...tailLines(tail),
      `${count('equal')} partitions are equal, ${count('moving')} changed meanwhile, `
        + `${count('holds_more')} hold more, ${count('lacks')} lack rows`,
      ...(count('moving') === 0 ? [] : [
        'moving: rows came while the two were read, so these partitions were not compared;'
          + ' that is no fault. Of days that are over none moves.',
      ]),
      isWhole
        ? `Backup ${backup.name} and the log give the tables back.`
        : `Backup ${backup.name} and the log do not give the tables back.`,
    ],
    exitCode: isWhole ? 0 : 1,
  };
}

function shown({ name, base, startedAtMs, offsets }: TableBackup) {
  return {
    name, ...(base === undefined ? {} : { base }), started_at: new Date(startedAtMs).toISOString(),
    offsets: offsets.map(({ topic, topicId, partition, next }) => (
      { topic, topic_id: topicId, partition, next: String(next) }
    )),
  };
}

function tailValue({ records, refused, gone }: TailWritten) {
  return {
    records, refused,
    gone: gone.map((range) => ({ ...range, from: String(range.from), to: String(range.to) })),
  };
}

function tailLines({ records, refused, gone }: TailWritten): readonly string[] {
  return [
    ...gone.map(({ topic, partition, from, to }) => (
      `gone  ${topic} ${partition}: offsets ${from} to before ${to} are neither in the backup nor in`
        + ' the log'
    )),
    `the log after it: ${records} records, ${refused} of them refused as they were when they came`,
  ];
}

function wordsFor({ base, startedAtMs }: TableBackup): string {
  const on = base === undefined ? 'needs no other' : `is upon ${base}`;
  return `began at ${new Date(startedAtMs).toISOString()} and ${on}`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
