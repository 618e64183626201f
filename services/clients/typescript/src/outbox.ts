import type { SpoolDraft, EntryHead } from './entry.ts';

/** A batch that waits in an outbox. */
export interface Entry {
  readonly head: EntryHead;
  /** What it takes of the room of the outbox. */
  readonly cost: number;
}

/** Where batches wait until the gateway has answered them: the memory or a spool on a disk. */
export interface Outbox {
  /** What was there at the start, in its order: batches that an earlier process left. */
  readonly left: readonly Entry[];
  /** Gives the entries once they are as safe as this outbox makes them. */
  append(drafts: readonly SpoolDraft[]): Promise<readonly Entry[]>;
  read(entry: Entry): Promise<Buffer>;
  /** The entry has its answer. Gives the room that is free again because of it. */
  finish(entry: Entry): number;
  close(): Promise<void>;
}

/** What an entry costs besides its body: its place in lists. */
export const ENTRY_COST = 256;

interface MemoryEntry extends Entry {
  readonly body: Buffer;
}

/** Batches in memory: they are gone with the process. */
export function createMemoryOutbox(): Outbox {
  return {
    left: [],
    append: (drafts) => Promise.resolve(drafts.map(({ head, body }): MemoryEntry => (
      { head, body, cost: body.length + ENTRY_COST }
    ))),
    read: (entry) => Promise.resolve((entry as MemoryEntry).body),
    finish: ({ cost }) => cost,
    close: () => Promise.resolve(),
  };
}
