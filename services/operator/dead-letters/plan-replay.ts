import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { formatRecordId } from '../../kernel/record-id.ts';
import type { DeadLetterSummary } from './dead-letter.ts';

/** A dead letter that is not replayed, and why. */
export interface ReplayRefusal {
  readonly deadLetter: DeadLetterSummary;
  readonly why: string;
}

/** What a replay would do. */
export interface ReplayPlan {
  /** In the order of the replay: in each partition by first offset. */
  readonly go: readonly DeadLetterSummary[];
  /** Further dead letters of a record in `go`; they are closed with it. */
  readonly repeats: readonly DeadLetterSummary[];
  readonly refused: readonly ReplayRefusal[];
}

/** Workers that park a key behind a record that they cannot apply, with its topic (ADR 0014). */
export const PARKING = { topic: TOPICS.notifications.name, worker: 'journey' } as const;

const OWN: readonly string[] = [TOPICS.deadLetters.name, TOPICS.deadLetterRepairs.name];

/** Topics that a replay may write: no other takes a record again. */
export const REPLAYED_TOPICS: readonly string[] = Object.values(TOPICS)
  .filter(({ name, cleanup }) => !OWN.includes(name) && !cleanup.includes('compact'))
  .map(({ name }) => name);

const SPECS = new Map(Object.values(TOPICS).map((topic) => [topic.name as string, topic]));

/**
 * Decides what of `chosen` is replayed. All open dead letters of a parked key go together: one
 * that overtook another would be parked again. `newerCommand`: whether a newer command of its key
 * exists.
 */
export function planReplay(
  all: readonly DeadLetterSummary[], chosen: readonly DeadLetterSummary[],
  newerCommand: (deadLetter: DeadLetterSummary) => boolean,
): ReplayPlan {
  const keys = new Set(chosen.filter(({ topic }) => topic === PARKING.topic).map(({ key }) => key));
  const ids = new Set(chosen.map(({ id }) => id));
  const wanted = all.filter(({ id, topic, key, state }) => state === 'open'
    && (ids.has(id) || (topic === PARKING.topic && keys.has(key))));
  const refused: ReplayRefusal[] = [];
  const byFirst = new Map<string, DeadLetterSummary>();
  const repeats: DeadLetterSummary[] = [];
  for (const deadLetter of wanted) {
    const why = whyNot(deadLetter, newerCommand);
    const first = `${deadLetter.topic} ${formatRecordId(deadLetter.first)}`;
    if (why !== undefined) refused.push({ deadLetter, why });
    else if (byFirst.has(first)) repeats.push(deadLetter);
    else byFirst.set(first, deadLetter);
  }
  return { go: [...byFirst.values()].sort(inOrder), repeats, refused };
}

function whyNot(
  deadLetter: DeadLetterSummary, newerCommand: (deadLetter: DeadLetterSummary) => boolean,
): string | undefined {
  const spec = SPECS.get(deadLetter.topic);
  if (spec === undefined) return `${deadLetter.topic} is no topic of the log; send it again`;
  if (OWN.includes(spec.name)) return 'a dead letter about a dead letter; the first one is in its topic';
  if (spec.cleanup.includes('compact')) {
    return `${spec.name} keeps the newest record of a key; an old one would replace it`;
  }
  if (!deadLetter.isFramed || deadLetter.key === undefined) return 'the bytes are in no frame';
  if (newerCommand(deadLetter)) return 'a newer command of its key exists; send it again';
  return undefined;
}

function inOrder(a: DeadLetterSummary, b: DeadLetterSummary): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  if (a.first.partition !== b.first.partition) return a.first.partition - b.first.partition;
  return a.first.offset < b.first.offset ? -1 : 1;
}
