import type { ClientId } from './ids.ts';
import type { ItemOutcomes } from './ingest.ts';
import type { LastFixes } from './fixes.ts';
import type { ItemOutcomeReader } from './ingest.ts';
import type { OutgoingRecord } from './record-log.ts';

const MAGIC = /^sandbox-([a-z_]{3,40})$/;

/** The word of a magic id such as `sandbox-rate_limited`; undefined for any other text. */
export function magicWordOf(text: string): string | undefined {
  return MAGIC.exec(text)?.[1];
}

/** How the items of a post to a sandbox end, where its id says so. */
export type OutcomeWord = keyof ItemOutcomes | 'waiting';

/** Every word for it, as receipts have them. */
export const OUTCOME_WORDS: readonly OutcomeWord[] = [
  'stored', 'duplicate', 'outlier', 'out_of_order', 'ignored_after_final', 'disputed',
  'dead_lettered', 'waiting',
];

/** One call of a sandbox client. */
export interface SandboxCall {
  readonly clientId: ClientId;
  readonly body: unknown;
  /** How its items end, where a magic id says it. */
  readonly outcome: OutcomeWord | undefined;
}

/** What a sandbox remembers of posts in the place of workers, tables and the log. */
export interface SandboxMemory {
  readonly receipts: ItemOutcomeReader;
  readonly lastFixes: LastFixes;
  /** Keeps the receipt of what one call appended, and the fixes in it. */
  remember(records: readonly OutgoingRecord[], outcome: OutcomeWord | undefined): Promise<void>;
}

/** The sandbox of a client holds as much as it may; it is emptied at `untilMs`. */
export class SandboxFull extends Error {
  readonly entriesMax: number;
  readonly untilMs: number;

  constructor(entriesMax: number, untilMs: number) {
    super(`A sandbox holds at most ${entriesMax} entries.`);
    this.entriesMax = entriesMax;
    this.untilMs = untilMs;
  }
}
