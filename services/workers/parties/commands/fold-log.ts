import { counts, isFinal } from '../../../domain/monitoring/result.ts';
import type { PlacedCommand, ProviderCommandResult } from '../../../kernel/commands.ts';
import { REPLAYED_FROM } from '../../../kernel/record-id.ts';
import { isDecoded, type LogReader, type LogRecord } from '../../../kernel/record-log.ts';
import type { CommandFact } from '../../common/read-command-record.ts';
import type { ReadOutcome } from '../../common/read-record.ts';
import type { Pending } from './schedule.ts';

/** What the log says about some partitions: which commands have no end yet. */
export interface FoldedLog {
  /** In the order of the log, each with its attempts and the moment of the next. */
  readonly pending: readonly Pending[];
  /** The highest fence that a result carries, by partition. */
  readonly fences: ReadonlyMap<number, number>;
  /** The offset of the last command that was read, by partition. */
  readonly lastOffsets: ReadonlyMap<number, bigint>;
}

interface Known {
  command?: Pending['command'];
  bytes: number;
  result?: ProviderCommandResult;
}

/** The two topics of provider commands; they are partitioned alike. */
export interface CommandTopics {
  readonly commands: string;
  readonly results: string;
}

/**
 * Reads both topics whole and keeps commands without an end: pending is commands minus results.
 * Ended commands are forgotten as they come, so that memory follows what is pending and not what
 * the log holds. Records that cannot be read are left out: the projector dead-letters them.
 */
export async function foldLog(
  reader: LogReader, read: (record: LogRecord) => ReadOutcome<CommandFact>,
  topics: CommandTopics, partitions: ReadonlySet<number>,
): Promise<FoldedLog> {
  const known = new Map<string, Known>();
  const fences = new Map<number, number>();
  const lastOffsets = new Map<number, bigint>();

  function addCommand(placed: PlacedCommand, bytes: number): void {
    const { event, recordId: { partition, offset } } = placed;
    lastOffsets.set(partition, offset);
    const kept = known.get(event.command_id);
    // A second record of a command that waits: the first is the one that is sent.
    if (kept?.command !== undefined) return;
    if (kept?.result !== undefined && isFinal(kept.result.outcome)) {
      known.delete(event.command_id);
    } else known.set(event.command_id, { ...kept, command: placed, bytes });
  }

  function addResult(result: ProviderCommandResult, partition: number): void {
    fences.set(partition, Math.max(fences.get(partition) ?? 0, result.fence));
    const kept = known.get(result.command_id) ?? { bytes: 0 };
    if (isFinal(result.outcome) && kept.command !== undefined) known.delete(result.command_id);
    else if (counts(result, kept.result)) known.set(result.command_id, { ...kept, result });
  }

  function add(record: LogRecord): void {
    const reading = read(record);
    if (!reading.ok) return;
    const fact = reading.value;
    if (fact.type === 'ProviderCommandResult') return addResult(fact, record.partition);
    const { topicId, partition, offset } = record;
    const recordId = { topicId, partition, offset };
    const isReplayed = record.headers[REPLAYED_FROM] !== undefined;
    addCommand({ event: fact, recordId, isReplayed }, record.value.length);
  }

  await reader.readToEnd([topics.commands, topics.results], async (records) => {
    for (const record of records) {
      if (isDecoded(record) && partitions.has(record.partition)) add(record);
    }
    await Promise.resolve();
  });
  return { pending: pendingOf(known), fences, lastOffsets };
}

function pendingOf(known: ReadonlyMap<string, Known>): readonly Pending[] {
  const pending: Pending[] = [];
  for (const { command, bytes, result } of known.values()) {
    if (command === undefined) continue;
    pending.push({
      command, bytes, attempts: result?.attempt ?? 0,
      notBeforeMs: result?.next_attempt_at_ms ?? 0,
    });
  }
  return pending.sort((a, b) => orderOf(a.command, b.command));
}

function orderOf({ recordId: a }: PlacedCommand, { recordId: b }: PlacedCommand): number {
  if (a.partition !== b.partition) return a.partition - b.partition;
  return a.offset < b.offset ? -1 : 1;
}
