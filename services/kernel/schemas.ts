import type { Refusal } from './http.ts';

/**
 * Judges one value by one schema: `undefined` when it follows it, else a function that says what
 * is wrong. Explaining costs more than judging, so it is done only for callers who may know.
 */
export type SchemaCheck = (value: unknown) => (() => Refusal) | undefined;

/** The schemas of the contract, by title, compiled at boot. An unknown title throws. */
export interface Schemas {
  checkOf(title: string): SchemaCheck;
}
