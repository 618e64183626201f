import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetter } from '../../../schemas/generated/types.ts';
import type { Digest } from '../../kernel/digest.ts';
import { createTopicFold } from '../../kernel/fold-topics.ts';
import type { FoldPorts } from '../../kernel/fold.ts';
import {
  deadLetterIdOf, openDeadLettersConfig, openDeadLettersFold, type DeadLetterOffset,
} from '../../kernel/open-dead-letters.ts';
import { readAtOffsets, type RecordOffset } from '../../kernel/read-at-offsets.ts';
import { withDeadLetter, type DeadLetterLog, type DeadLetterSummary } from './dead-letter.ts';

/** The dead letters that are open; what reading them costs goes with them and not with the log. */
export interface OpenDeadLetterLog {
  /** Those that are open now; calls at one time read one after the other. */
  read(): Promise<DeadLettersNow>;
  /** Values of some that were open when it was read last, byte for byte as in the log. */
  values(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Buffer>>;
}

/** What a process that serves others may hold. */
export interface OpenLimits {
  /** Of more open ones the first of the log are read: the others follow when these are closed. */
  readonly openMax?: number;
  /** More records behind the checkpoint are refused; see the fold's own limit of that name. */
  readonly tailMax?: number;
}

/** Those that were read, and how many are open with those that were not. */
export interface DeadLettersNow extends DeadLetterLog {
  readonly open: number;
}

const DEAD_LETTERS: string = TOPICS.deadLetters.name;
const FOLD_TOPICS = { deadLetters: DEAD_LETTERS, repairs: TOPICS.deadLetterRepairs.name };

interface Read {
  /** Names of the records that it was read from. */
  readonly from: string;
  readonly deadLetter: DeadLetterSummary;
}

/**
 * Goes on from the checkpoint that a worker keeps, and reads open dead letters where the log has
 * them. It keeps no checkpoint itself; without one both topics are read whole.
 */
export function createOpenDeadLetterLog(
  ports: FoldPorts & { readonly digest: Digest }, limits: OpenLimits = {},
): OpenDeadLetterLog {
  const fold = createTopicFold(
    { ...openDeadLettersConfig(FOLD_TOPICS), ...limits, recordsMin: Infinity, bytesMax: 0 },
    openDeadLettersFold(FOLD_TOPICS), ports,
  );
  let offsets = new Map<string, readonly DeadLetterOffset[]>();
  let known = new Map<string, Read>();
  let last: Promise<unknown> = Promise.resolve();

  async function readAt(
    wanted: Iterable<readonly DeadLetterOffset[]>, onRead: (content: DeadLetter) => void,
  ): Promise<void> {
    await readAtOffsets(ports.rangeReader, [...wanted].flat().map(offsetOf), ({ value }) => {
      onRead(JSON.parse(value.toString('utf8')) as DeadLetter);
    });
  }

  async function read(): Promise<DeadLettersNow> {
    const { open, resumedAt } = await fold();
    // Copied at once: the next fold goes on with the same content.
    const inOrder = [...open].map(([id, deadLetter]) => [id, deadLetter.offsets] as const)
      .sort(([, [a]], [, [b]]) => orderOf(a, b));
    offsets = new Map(inOrder.slice(0, limits.openMax));
    const resumed = new Map(resumedAt);
    const kept = new Map([...known].filter(([id, { from }]) => nameOf(offsets.get(id)) === from));
    const missing = [...offsets].filter(([id]) => !kept.has(id));
    const found = new Map<string, DeadLetterSummary>();
    await readAt(missing.map(([, own]) => own), (content) => {
      const id = deadLetterIdOf(content.origin);
      found.set(id, withDeadLetter(found.get(id), content, ports.digest));
    });
    for (const [id, deadLetter] of found) {
      kept.set(id, { from: nameOf(offsets.get(id)), deadLetter });
    }
    known = kept;
    return {
      deadLetters: new Map([...offsets.keys()].flatMap((id) => {
        const own = known.get(id);
        return own === undefined ? [] : [[id, own.deadLetter] as const];
      })),
      resumed,
      open: inOrder.length,
    };
  }

  return {
    read() {
      const reading = last.then(read);
      last = reading.catch(() => undefined);
      return reading;
    },

    async values(ids) {
      const values = new Map<string, Buffer>();
      await readAt([...ids].map((id) => offsets.get(id)?.slice(-1) ?? []), ({ origin, value }) => {
        if (value !== null) values.set(deadLetterIdOf(origin), Buffer.from(value, 'base64'));
      });
      return values;
    },
  };
}

function offsetOf({ partition, offset }: DeadLetterOffset): RecordOffset {
  return { topic: DEAD_LETTERS, partition, offset };
}

function nameOf(offsets: readonly DeadLetterOffset[] = []): string {
  return offsets.map(({ partition, offset }) => `${partition}:${offset}`).join();
}

function orderOf(a: DeadLetterOffset | undefined, b: DeadLetterOffset | undefined): number {
  if (a === undefined || b === undefined) return 0;
  if (a.partition !== b.partition) return a.partition - b.partition;
  return a.offset < b.offset ? -1 : 1;
}
