import { Unavailable } from '../kernel/unavailable.ts';
import type {
  StateAccess, StateEntry, StateKey, StateStore, StateTransaction,
} from '../kernel/state-store.ts';

/** A decision about some entries, made again after every conflict. */
export interface Work<Result> {
  readonly keys: readonly StateKey[];
  /** Pure, from the entries in the order of `keys` and the clock of the store. */
  readonly decide: (entries: readonly StateEntry[], nowMs: number) => Decided<Result>;
}

/** The answer, and what has to be written for it to hold; nothing when nothing changes. */
export interface Decided<Result> {
  readonly result: Result;
  readonly transaction?: StateTransaction | undefined;
}

/** Every lost round means that another writer won, so this many are not lost by chance. */
export const ROUNDS_MAX = 64;

/** Reads, decides and writes by compare-and-set, until no write came between; else `state_busy`. */
export async function transact<Result>(
  store: StateStore, access: StateAccess, work: Work<Result>,
): Promise<Result> {
  const [result] = await transactEach(store, access, [work]);
  return result as Result;
}

/**
 * Does the same for many works at once, each a transaction of its own. Works that name the same
 * entry follow each other. A result stands only with its write, so a lost answer of a commit is
 * harmless to a caller that repeats all.
 */
export async function transactEach<Result>(
  store: StateStore, access: StateAccess, works: readonly Work<Result>[],
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let open = works.map((work, at) => ({ work, at }));
  for (let round = 0; open.length > 0; round += 1) {
    if (round === ROUNDS_MAX) throw new Unavailable('state_busy', 'apply', 'the state changes too fast');
    const decided = await decideEach(store, access, open.map(({ work }) => work));
    const writes = decided.flatMap(({ transaction }) => transaction ?? []);
    const written = writes.length === 0 ? [] : await store.commit(writes, access);
    let nth = 0;
    const isDone = decided.map(({ transaction }) => (
      transaction === undefined || written[nth++] === true
    ));
    open.forEach(({ at }, i) => {
      if (isDone[i] === true) results[at] = decided[i]?.result as Result;
    });
    open = open.filter((_, i) => isDone[i] !== true);
  }
  return results;
}

async function decideEach<Result>(
  store: StateStore, access: StateAccess, works: readonly Work<Result>[],
): Promise<readonly Decided<Result>[]> {
  const { nowMs, entries } = await store.read(works.flatMap(({ keys }) => keys), access);
  let from = 0;
  return works.map(({ keys, decide }) => {
    const own = entries.slice(from, from + keys.length);
    from += keys.length;
    return decide(own, nowMs);
  });
}
