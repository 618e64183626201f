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
