import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { formatRecordId } from '../../kernel/record-id.ts';
import type { DeadLetterSummary } from './dead-letter.ts';

/** A letter that is not put back, and why. */
export interface Refusal {
  readonly deadLetter: DeadLetterSummary;
  readonly why: string;
}

/** What a redrive would do. */
export interface ReplayPlan {
  /** In the order in which they are put back: of each partition as they stood first. */
  readonly go: readonly DeadLetterSummary[];
  /** The same record again, whose letter is settled with the one that goes. */
  readonly repeats: readonly DeadLetterSummary[];
  readonly refused: readonly Refusal[];
}

/** Workers that park a key behind a record that they cannot apply, with its topic (ADR 0014). */
export const PARKING = { topic: TOPICS.notifications.name, worker: 'journey' } as const;

const SPECS = new Map(Object.values(TOPICS).map((topic) => [topic.name as string, topic]));
const OWN: readonly string[] = [TOPICS.deadLetters.name, TOPICS.deadLetterRepairs.name];

/**
 * Decides what of `chosen` goes back. Of a key that is parked all open letters go together, since
 * one that overtook another would be parked again. `newerCommand` tells of a command that another
 * of its key came after.
 */
export function planReplay(
  all: readonly DeadLetterSummary[], chosen: readonly DeadLetterSummary[],
  newerCommand: (deadLetter: DeadLetterSummary) => boolean,
): ReplayPlan {
  const keys = new Set(chosen.filter(({ topic }) => topic === PARKING.topic).map(({ key }) => key));
  const ids = new Set(chosen.map(({ id }) => id));
  const wanted = all.filter(({ id, topic, key, state }) => state === 'open'
    && (ids.has(id) || (topic === PARKING.topic && keys.has(key))));
  const refused: Refusal[] = [];
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
  if (spec === undefined) return `${deadLetter.topic} is no topic of the log; send it anew`;
  if (OWN.includes(spec.name)) return 'a letter about a letter; the letter itself is in its topic';
  if (spec.cleanup.includes('compact')) {
    return `${spec.name} keeps the newest record of a key; an old one would take its place`;
  }
  if (!deadLetter.isFramed || deadLetter.key === undefined) return 'the bytes are in no frame';
  if (newerCommand(deadLetter)) return 'another command of its key came after it; send it anew';
  return undefined;
}

function inOrder(a: DeadLetterSummary, b: DeadLetterSummary): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  if (a.first.partition !== b.first.partition) return a.first.partition - b.first.partition;
  return a.first.offset < b.first.offset ? -1 : 1;
}
