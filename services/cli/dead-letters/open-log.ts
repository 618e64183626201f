import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetter } from '../../../schemas/generated/types.ts';
import type { Digest } from '../../kernel/digest.ts';
import { createTopicFold } from '../../kernel/fold-topics.ts';
import type { FoldPorts } from '../../kernel/fold.ts';
import {
  deadLetterIdOf, openDeadLettersConfig, openDeadLettersFold, type DeadLetterOffset,
} from '../../kernel/open-dead-letters.ts';
import { readAtOffsets, type RecordOffset } from '../../kernel/read-at-offsets.ts';
import { withDeadLetter, type DeadLetterSummary } from './dead-letter.ts';
import type { DeadLetterLog } from './read-dead-letters.ts';

/** The dead letters that are open; what reading them costs goes with them and not with the log. */
export interface OpenDeadLetterLog {
  /** Those that are open now. */
  read(): Promise<DeadLetterLog>;
  /** Values of some that were open when it was read last, byte for byte as in the log. */
  values(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Buffer>>;
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
  ports: FoldPorts & { readonly digest: Digest },
): OpenDeadLetterLog {
  const fold = createTopicFold(
    { ...openDeadLettersConfig(FOLD_TOPICS), recordsMin: Infinity, bytesMax: 0 },
    openDeadLettersFold(FOLD_TOPICS), ports,
  );
  let offsets = new Map<string, readonly DeadLetterOffset[]>();
  let known = new Map<string, Read>();

  async function readAt(
    wanted: Iterable<readonly DeadLetterOffset[]>, onRead: (content: DeadLetter) => void,
  ): Promise<void> {
    await readAtOffsets(ports.rangeReader, [...wanted].flat().map(offsetOf), ({ value }) => {
      onRead(JSON.parse(value.toString('utf8')) as DeadLetter);
    });
  }

  return {
    async read() {
      const { open, resumedAt } = await fold();
      // Copied at once: the next fold goes on with the same content.
      offsets = new Map([...open].map(([id, deadLetter]) => [id, deadLetter.offsets]));
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
      const inOrder = [...offsets].sort(([, [a]], [, [b]]) => orderOf(a, b));
      return {
        deadLetters: new Map(inOrder.flatMap(([id]) => {
          const read = known.get(id);
          return read === undefined ? [] : [[id, read.deadLetter] as const];
        })),
        resumed,
      };
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
