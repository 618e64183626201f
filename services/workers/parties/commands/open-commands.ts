import { counts, isFinal, type FencedResult } from '../../../domain/monitoring/result.ts';
import type { Fold } from '../../../kernel/fold.ts';
import type { LogRecord } from '../../../kernel/record-log.ts';
import type { CommandFact } from '../../common/read-command-record.ts';
import type { ReadOutcome } from '../../common/read-record.ts';

/** The two topics of provider commands; they are partitioned alike. */
export interface CommandTopics {
  readonly commands: string;
  readonly results: string;
}

/** What of a result decides when its command is tried next, and which of two counts. */
export interface KeptResult extends FencedResult {
  readonly next_attempt_at_ms?: number | undefined;
}

/** A command without an end: where its records are, and the last of its results. */
export interface OpenCommand {
  /** Of its records that the log has; the first is the one that is sent. */
  offsets: readonly bigint[];
  result: KeptResult | undefined;
}

/** What one partition of both topics says about commands that are open. */
export interface OpenCommands {
  /** By command id. */
  readonly open: Map<string, OpenCommand>;
  /** Results of which the command was not read yet, by command id. */
  readonly early: Map<string, KeptResult>;
  /** Commands that ended last, in the order of their results: for further records of them. */
  readonly ended: Set<string>;
  /** The highest fence that a result carries. */
  fence: number;
  /** The offset of the last command that was read. */
  lastOffset: bigint | undefined;
}

/** A gateway that appends a command twice does so within minutes. */
const ENDED_MAX = 1_000;

/** How the content of the checkpoint is written; another number for another way. */
export const OPEN_COMMANDS_FORM = 1;

/**
 * Folds commands that are open: commands minus results. Only their offsets are kept, so that a
 * checkpoint goes with what is open; the commands themselves stay in the log. Of ended commands the
 * newest are known. Records that cannot be read are left out: they become dead letters.
 */
export function openCommandsFold(
  topics: CommandTopics, read: (record: LogRecord) => ReadOutcome<CommandFact>,
): Fold<OpenCommands> {
  return {
    empty: () => ({
      open: new Map(), early: new Map(), ended: new Set(), fence: 0, lastOffset: undefined,
    }),

    add(content, record) {
      const reading = read(record);
      if (!reading.ok) return;
      const fact = reading.value;
      if (fact.type === 'ProviderCommandResult') addResult(content, fact.command_id, fact);
      else addCommand(content, fact.command_id, record.offset);
    },

    finish({ open, early, ended }, ranges) {
      // Ends of results were taken first: what has no command now will never have one.
      early.clear();
      for (const id of [...ended].slice(0, -ENDED_MAX)) ended.delete(id);
      const start = ranges.find(({ topic }) => topic === topics.commands)?.start ?? 0n;
      for (const [id, command] of open) {
        if ((command.offsets[0] ?? start) >= start) continue;
        command.offsets = command.offsets.filter((offset) => offset >= start);
        if (command.offsets.length === 0) open.delete(id);
      }
    },

    write: written,
    read(json) {
      const [open, ended, fence, lastOffset] = json as ReturnType<typeof written>;
      return {
        open: new Map(open.map(([id, offsets, result]) => (
          [id, {
            offsets: offsets.map(BigInt), result: result === null ? undefined : readResult(result),
          }]
        ))),
        early: new Map(), ended: new Set(ended), fence,
        lastOffset: lastOffset === null ? undefined : BigInt(lastOffset),
      };
    },
  };
}

function addCommand(content: OpenCommands, id: string, offset: bigint): void {
  const { open, early, ended } = content;
  content.lastOffset = offset;
  if (ended.has(id)) return;
  const known = open.get(id);
  // A second record of a command that waits: the first is the one that is sent.
  if (known !== undefined) known.offsets = [...known.offsets, offset];
  else open.set(id, { offsets: [offset], result: early.get(id) });
  early.delete(id);
}

function addResult(content: OpenCommands, id: string, fact: KeptResult): void {
  const { open, early, ended } = content;
  content.fence = Math.max(content.fence, fact.fence);
  if (isFinal(fact.outcome)) {
    ended.add(id);
    open.delete(id);
    early.delete(id);
  }
  if (ended.has(id)) return;
  const { fence, outcome, attempt, next_attempt_at_ms } = fact;
  const result = { fence, outcome, attempt, next_attempt_at_ms };
  const known = open.get(id);
  if (known === undefined) {
    if (counts(result, early.get(id))) early.set(id, result);
  } else if (counts(result, known.result)) known.result = result;
}

/** Results of open commands are retries, all of them. */
function readResult([fence, attempt, next]: readonly [number, number, number | null]): KeptResult {
  return { outcome: 'retry', fence, attempt, next_attempt_at_ms: next ?? undefined };
}

function written({ open, ended, fence, lastOffset }: OpenCommands) {
  return [
    [...open].map(([id, { offsets, result }]) => [
      id, offsets.map(String),
      result === undefined
        ? null : [result.fence, result.attempt, result.next_attempt_at_ms ?? null] as const,
    ] as const),
    [...ended], fence, lastOffset === undefined ? null : String(lastOffset),
  ] as const;
}
