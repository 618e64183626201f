import { exampleCall } from '../documented-answers.ts';
import { readJsonCases } from '../json-test-suite/read-cases.ts';
import { naughtyTexts } from '../naughty-strings/read-strings.ts';
import { BODY_OPERATIONS } from './edge.ts';
import { damagedBytes, diceOf, mutated } from './mutate.ts';
import { bodyWith, stringPlaces, type JsonPath } from './places.ts';

/** A body for an operation; the number names it among others of its kind. */
export interface NumberedBody {
  readonly number: number;
  readonly id: string;
  readonly body: Buffer;
}

const EXAMPLES = new Map(BODY_OPERATIONS.map((id) => [id, exampleCall(id).body]));

/** The changed body of a number, and its operation: the same for the same seed. */
export function changedBody(seed: number, number: number): NumberedBody {
  const dice = diceOf(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b));
  const id = BODY_OPERATIONS[number % BODY_OPERATIONS.length] ?? '';
  return { number, id, body: damagedBytes(mutated(EXAMPLES.get(id), dice), dice) };
}

/** The changed bodies from a number up to another. */
export function* changedBodies(seed: number, from: number, to: number): Generator<NumberedBody> {
  for (let number = from; number < to; number += 1) yield changedBody(seed, number);
}

/** Every place of every body where a string is allowed. */
export const STRING_PLACES: readonly { readonly id: string; readonly place: JsonPath }[] =
  BODY_OPERATIONS.flatMap((id) => stringPlaces(id).map((place) => ({ id, place })));

/** The example of an operation with every naughty string at one place. */
export function* naughtyBodies(id: string, place: JsonPath): Generator<NumberedBody> {
  for (const [number, text] of naughtyTexts().entries()) {
    yield { number, id, body: Buffer.from(bodyWith(id, place, text)) };
  }
}

/** Every file of the public corpus of JSON: as the body, and inside the example. */
export function* corpusBodies(id: string): Generator<NumberedBody> {
  const [head = '', tail = ''] = JSON.stringify({ corpus: 0, ...EXAMPLES.get(id) as object })
    .split('"corpus":0');
  for (const [at, { bytes }] of readJsonCases().entries()) {
    yield { number: 2 * at, id, body: bytes };
    const inside = [Buffer.from(`${head}"corpus":`), bytes, Buffer.from(tail)];
    yield { number: 2 * at + 1, id, body: Buffer.concat(inside) };
  }
}
