import type { PlacedCommand } from '../../../kernel/commands.ts';
import { createPartitionFold } from '../../../kernel/fold-topics.ts';
import { FOLD_LIMITS, type FoldPorts } from '../../../kernel/fold.ts';
import { REPLAYED_FROM } from '../../../kernel/record-id.ts';
import { readAtOffsets } from '../../../kernel/read-at-offsets.ts';
import type { LogRecord } from '../../../kernel/record-log.ts';
import type { CommandFact } from '../../common/read-command-record.ts';
import type { ReadOutcome } from '../../common/read-record.ts';
import {
  OPEN_COMMANDS_FORM, openCommandsFold, type CommandTopics, type KeptResult, type OpenCommands,
} from './open-commands.ts';
import type { Pending } from './schedule.ts';

/** What the log says about some partitions: which commands have no end yet. */
export interface PendingCommands {
  /** In the order of the log, each with its attempts and the moment of the next. */
  readonly pending: readonly Pending[];
  /** The highest fence that a result carries, by partition. */
  readonly fences: ReadonlyMap<number, number>;
  /** The offset of the last command that was read, by partition. */
  readonly lastOffsets: ReadonlyMap<number, bigint>;
}

/** Reads what is pending up to the ends that both topics have when it is called. */
export interface ReadPending {
  readonly read: (partitions: ReadonlySet<number>) => Promise<PendingCommands>;
  /** Brings the checkpoints of partitions up to the end, so that the next owner reads little. */
  readonly keepUp: (partitions: readonly number[]) => Promise<void>;
}

/**
 * Pending is commands minus results. Which are, a fold with a checkpoint for each partition says;
 * the commands are read at their offsets. What a takeover reads goes with what is open.
 */
export function createReadPending(
  { topics, keptRecordsMin }: { readonly topics: CommandTopics; readonly keptRecordsMin: number },
  ports: FoldPorts & { readonly readCommand: (record: LogRecord) => ReadOutcome<CommandFact> },
): ReadPending {
  const fold = createPartitionFold({
    ...FOLD_LIMITS, recordsMin: keptRecordsMin, name: 'commands', form: OPEN_COMMANDS_FORM,
    topics: [topics.results, topics.commands],
  }, openCommandsFold(topics, ports.readCommand), ports);

  return {
    async read(partitions) {
      const folded = await fold(partitions);
      // Copied at once: the next fold goes on with the same content.
      const records = openRecordsOf(folded, topics);
      const fences = new Map([...folded].map(([partition, { fence }]) => [partition, fence]));
      const lastOffsets = new Map([...folded].flatMap(([partition, { lastOffset }]) => (
        lastOffset === undefined ? [] : [[partition, lastOffset] as const])));
      const pending = new Map<string, Pending>();
      await readAtOffsets(ports.rangeReader, records.values(), (record) => {
        const open = records.get(`${record.partition}:${record.offset}`);
        const reading = ports.readCommand(record);
        if (open === undefined || !reading.ok || pending.has(open.id)) return;
        if (reading.value.type !== 'ProviderCommandIssued') return;
        const { topicId, partition, offset, headers, value } = record;
        const command = {
          event: reading.value, recordId: { topicId, partition, offset },
          isReplayed: headers[REPLAYED_FROM] !== undefined,
        };
        pending.set(open.id, {
          command, bytes: value.length, attempts: open.result?.attempt ?? 0,
          notBeforeMs: open.result?.next_attempt_at_ms ?? 0,
        });
      });
      return {
        pending: [...pending.values()].sort((a, b) => orderOf(a.command, b.command)),
        fences, lastOffsets,
      };
    },

    async keepUp(partitions) {
      if (partitions.length > 0) await fold(partitions);
    },
  };
}

interface OpenRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly id: string;
  readonly result: KeptResult | undefined;
}

function openRecordsOf(
  folded: ReadonlyMap<number, OpenCommands>, { commands: topic }: CommandTopics,
): ReadonlyMap<string, OpenRecord> {
  const records = new Map<string, OpenRecord>();
  for (const [partition, { open }] of folded) {
    for (const [id, { offsets, result }] of open) {
      for (const offset of offsets) {
        records.set(`${partition}:${offset}`, { topic, partition, offset, id, result });
      }
    }
  }
  return records;
}

function orderOf({ recordId: a }: PlacedCommand, { recordId: b }: PlacedCommand): number {
  if (a.partition !== b.partition) return a.partition - b.partition;
  return a.offset < b.offset ? -1 : 1;
}
