import type { TidyFile } from './tree.ts';

/** A rule of the house: it gets the whole tree and answers one sentence per offence. */
export interface TidyRule {
  readonly name: string;
  readonly offences: (files: readonly TidyFile[]) => string[];
}
