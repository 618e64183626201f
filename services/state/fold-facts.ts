import type { StateAccess, StateEntry, StateKey, StateStore } from '../kernel/state-store.ts';
import { changeOf, type NextEntry } from './entries.ts';
import { transactEach, type Work } from './transact.ts';

/** A fact and the entry that it is about. */
export interface KeyedFact<Fact> {
  readonly key: StateKey;
  readonly fact: Fact;
}

/** Facts of the log need no ready mark: they make the store ready. */
export const FROM_THE_LOG: StateAccess = { requireReady: false };

/** What is asked or claimed needs the ready mark. */
export const READY: StateAccess = { requireReady: true };

/** Facts by the entry that they are about, in their order. */
export function byEntry<Fact>(
  facts: readonly KeyedFact<Fact>[],
): readonly (readonly KeyedFact<Fact>[])[] {
  const groups = Map.groupBy(facts, ({ key: { shard, kind, id } }) => `${shard}:${kind}:${id}`);
  return [...groups.values()];
}

/** A work that gives one entry its next fields. */
export function changing(
  key: StateKey, nextOf: (entry: StateEntry, nowMs: number) => NextEntry | undefined,
): Work<undefined> {
  return {
    keys: [key],
    decide([entry], nowMs) {
      const next = entry === undefined ? undefined : nextOf(entry, nowMs);
      const change = entry === undefined || next === undefined
        ? undefined
        : changeOf(key, entry, next);
      return {
        result: undefined, transaction: change === undefined ? undefined : { entries: [change] },
      };
    },
  };
}

/** Folds facts of the log into their entries, those of one entry in one write. */
export async function foldFacts<Fact>(
  store: StateStore, facts: readonly KeyedFact<Fact>[],
  nextOf: (entry: StateEntry, facts: readonly Fact[], nowMs: number) => NextEntry | undefined,
): Promise<void> {
  const works = byEntry(facts).flatMap((group) => group.slice(0, 1).map(({ key }) => (
    changing(key, (entry, nowMs) => nextOf(entry, group.map(({ fact }) => fact), nowMs))
  )));
  if (works.length > 0) await transactEach(store, FROM_THE_LOG, works);
}
