import type { ClientId } from './ids.ts';
import type { LastFixes } from './fixes.ts';
import type { ItemOutcomeReader } from './ingest.ts';
import type { OutcomeWord, PartnerWord } from './magic-ids.ts';
import type { OutgoingRecord } from './record-log.ts';

/** One call of a sandbox client. */
export interface SandboxCall {
  readonly clientId: ClientId;
  readonly body: unknown;
  /** How its items end, where a magic id says it. */
  readonly outcome: OutcomeWord | undefined;
  /** How a partner ends what it asks for, where a magic id says it. */
  readonly partner: PartnerWord | undefined;
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
