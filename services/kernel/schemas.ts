import { withLongsAsNumbers } from './exact-json.ts';
import type { Refusal } from './http.ts';

/**
 * Validates one value: `undefined` when it follows the schema, else a function that says what
 * is wrong. Explaining costs more than validating, so it is done only for callers who may know.
 */
export type SchemaCheck = (value: unknown) => (() => Refusal) | undefined;

/** The schemas of the contract, by title, compiled at boot. An unknown title throws. */
export interface Schemas {
  checkOf(title: string): SchemaCheck;
}

/**
 * Validates a body that is kept with its numbers as they were written. Its integers of 64 bits are
 * texts in the value; one of them in a field of text is as wrong as a smaller number there.
 */
export function checkWritten(
  check: SchemaCheck, value: unknown, written: unknown,
): ReturnType<SchemaCheck> {
  const explain = check(value);
  if (explain !== undefined) return explain;
  const numbers = withLongsAsNumbers(value, written);
  return numbers === value ? undefined : check(numbers);
}
