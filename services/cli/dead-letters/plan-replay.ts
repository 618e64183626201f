import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { formatRecordId } from '../../kernel/record-id.ts';
import type { Letter } from './dead-letter.ts';

/** A letter that is not put back, and why. */
export interface Refusal {
  readonly letter: Letter;
  readonly why: string;
}

/** What a redrive would do. */
export interface RedrivePlan {
  /** In the order in which they are put back: of each partition as they stood first. */
  readonly go: readonly Letter[];
  /** The same record again, whose letter is settled with the one that goes. */
  readonly repeats: readonly Letter[];
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
export function planRedrive(
  all: readonly Letter[], chosen: readonly Letter[], newerCommand: (letter: Letter) => boolean,
): RedrivePlan {
  const keys = new Set(chosen.filter(({ topic }) => topic === PARKING.topic).map(({ key }) => key));
  const ids = new Set(chosen.map(({ id }) => id));
  const wanted = all.filter((letter) => letter.state === 'open'
    && (ids.has(letter.id) || (letter.topic === PARKING.topic && keys.has(letter.key))));
  const refused: Refusal[] = [];
  const byFirst = new Map<string, Letter>();
  const repeats: Letter[] = [];
  for (const letter of wanted) {
    const why = whyNot(letter, newerCommand);
    const first = `${letter.topic} ${formatRecordId(letter.first)}`;
    if (why !== undefined) refused.push({ letter, why });
    else if (byFirst.has(first)) repeats.push(letter);
    else byFirst.set(first, letter);
  }
  return { go: [...byFirst.values()].sort(inOrder), repeats, refused };
}

function whyNot(letter: Letter, newerCommand: (letter: Letter) => boolean): string | undefined {
  const spec = SPECS.get(letter.topic);
  if (spec === undefined) return `${letter.topic} is no topic of the log; send it anew`;
  if (OWN.includes(spec.name)) return 'a letter about a letter; the letter itself is in its topic';
  if (spec.cleanup.includes('compact')) {
    return `${spec.name} keeps the newest record of a key; an old one would take its place`;
  }
  if (!letter.isFramed || letter.key === undefined) return 'the bytes are in no frame';
  if (newerCommand(letter)) return 'another command of its key came after it; send it anew';
  return undefined;
}

function inOrder(a: Letter, b: Letter): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  if (a.first.partition !== b.first.partition) return a.first.partition - b.first.partition;
  return a.first.offset < b.first.offset ? -1 : 1;
}
