import { createBoundedCache } from '../../kernel/bounded-cache.ts';
import type { Pause } from '../../kernel/clock.ts';
import type { KeptTaken, TakenCalls, TakenCallStore } from '../../kernel/taken-calls.ts';

/** How often taken calls are written, and how many kinds of them a gateway has in mind. */
export interface TakenCallsConfig {
  /** How long taken calls gather before they are written. */
  readonly gatherMs: number;
  /** For how long a kind that was written is not written again. */
  readonly writtenMs: number;
  /** Pairs of client and operation; of those beyond it some are written more often. */
  readonly kindsMax: number;
}

/** Bounds that hold unless a test wants others: about ten megabytes. */
export const TAKEN_CALLS_LIMITS: TakenCallsConfig = {
  gatherMs: 1_000, writtenMs: 600_000, kindsMax: 65_536,
};

/** What keeping taken calls takes. */
export interface TakenCallsPorts {
  readonly store: Pick<TakenCallStore, 'keep'>;
  readonly pause: Pause;
}

/**
 * Writes which operations answered which client, the first time at once and then now and then,
 * beside the calls: a call costs one lookup in memory, and nothing ever waits. What the store does
 * not take is tried again with the next call of its kind.
 */
export function createTakenCalls(
  { gatherMs, writtenMs, kindsMax }: TakenCallsConfig, { store, pause }: TakenCallsPorts,
): TakenCalls {
  const writtenAtMs = createBoundedCache<string, number>(kindsMax);
  let gathered = new Map<string, KeptTaken[]>();
  let isWriting = false;

  async function writeAll(): Promise<void> {
    while (gathered.size > 0) {
      await pause(gatherMs);
      const taken = gathered;
      gathered = new Map();
      await Promise.all([...taken].map(([clientId, kinds]) => write(clientId, kinds)));
    }
    isWriting = false;
  }

  async function write(clientId: string, kinds: readonly KeptTaken[]): Promise<void> {
    try {
      await store.keep(clientId, kinds);
    } catch {
      // The store's own signal says why.
      for (const { operation } of kinds) writtenAtMs.delete(nameOf(clientId, operation));
    }
  }

  return {
    report({ clientId, operation, atMs }) {
      const name = nameOf(clientId, operation);
      const before = writtenAtMs.get(name);
      if (before !== undefined && atMs - before < writtenMs) return;
      writtenAtMs.set(name, atMs);
      const kinds = gathered.get(clientId) ?? [];
      kinds.push({ operation, first_at_ms: atMs, last_at_ms: atMs });
      gathered.set(clientId, kinds);
      if (isWriting) return;
      isWriting = true;
      void writeAll();
    },
  };
}

function nameOf(clientId: string, operation: string): string {
  return `${clientId} ${operation}`;
}
