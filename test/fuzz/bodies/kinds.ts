import {
  changedBodies, changedBody, corpusBodies, naughtyBodies, STRING_PLACES, type NumberedBody,
} from '../../support/every-body/bodies.ts';
import { BODY_OPERATIONS } from '../../support/every-body/edge.ts';

/** Bodies of one kind, in chunks that are the same again for the same number. */
export interface BodyKind {
  /** How many chunks so many bodies are; a kind that is finite has all of its own. */
  chunksOf(count: number): number;
  bodiesOf(seed: number, chunk: number): Iterable<NumberedBody>;
  /** Text that changes when a number would be another body. */
  readonly subject: string;
  /** Operations that rightly refuse every body of this kind. */
  readonly refusedBy: readonly string[];
}

const BODIES_PER_CHUNK = 1_000;
const SAMPLES = 500;

const sampled = (): string => Array.from(
  { length: SAMPLES }, (_, number) => changedBody(0, number).body.toString('base64'),
).join(' ');

const placesListed = (): string => JSON.stringify(STRING_PLACES);

/** The kinds, by the name that a thread gets. */
export const KINDS = {
  changed: {
    chunksOf: (count) => Math.ceil(count / BODIES_PER_CHUNK),
    bodiesOf: (seed, chunk) => (
      changedBodies(seed, chunk * BODIES_PER_CHUNK, (chunk + 1) * BODIES_PER_CHUNK)
    ),
    get subject() { return sampled(); },
    refusedBy: [],
  },
  naughty: {
    chunksOf: () => STRING_PLACES.length,
    bodiesOf: (_, chunk) => {
      const { id, place } = STRING_PLACES[chunk] ?? { id: '', place: [] };
      return naughtyBodies(id, place);
    },
    get subject() { return placesListed(); },
    // Its one string is a name out of a list.
    refusedBy: ['issue-token'],
  },
  corpus: {
    chunksOf: () => BODY_OPERATIONS.length,
    bodiesOf: (_, chunk) => corpusBodies(BODY_OPERATIONS[chunk] ?? ''),
    get subject() { return BODY_OPERATIONS.join(' '); },
    refusedBy: [],
  },
} as const satisfies Readonly<Record<string, BodyKind>>;

/** Name of a kind. */
export type KindName = keyof typeof KINDS;
