import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { StateKey, StateStore } from '../../../services/kernel/state-store.ts';
import { changeOf } from '../../../services/state/entries.ts';
import { transact, transactEach, type Work } from '../../../services/state/transact.ts';
import { fakeStateStore } from '../../support/fake-state-store.ts';

const READY = { requireReady: true };
const KEY: StateKey = { shard: 1, kind: 'command', id: 'a' };

/** Adds one to a counter and answers it. */
function addOne(key = KEY): Work<number> {
  return {
    keys: [key],
    decide([entry]) {
      if (entry === undefined) throw new Error('no entry');
      const result = Number(entry.fields.get('count') ?? 0) + 1;
      const change = changeOf(key, entry, { fields: { count: result } });
      return { result, transaction: change && { entries: [change] } };
    },
  };
}

describe('reading, deciding and writing', () => {
  it('decides again when another came between, and loses no decision', async () => {
    const store = fakeStateStore();
    const counts = await Promise.all(Array.from({ length: 20 }, () => (
      transact(store, READY, addOne())
    )));
    expect(counts.toSorted((a, b) => a - b)).toEqual(counts.map((_, i) => i + 1));
  });

  it('lets works that name the same entry follow each other', async () => {
    const other = { ...KEY, id: 'b' };
    const works = [addOne(), addOne(other), addOne(), addOne()];
    expect(await transactEach(fakeStateStore(), READY, works)).toEqual([1, 1, 2, 3]);
  });

  it('writes nothing when nothing changes', async () => {
    const store = fakeStateStore();
    await store.commit([{ entries: [{ key: KEY, version: 0, set: { count: '1' } }] }], READY);
    const before = store.entry(KEY)?.version;
    expect(await transact(store, READY, {
      keys: [KEY],
      decide: ([entry]) => ({
        result: 'same',
        transaction: entry && changeOf(KEY, entry, { fields: { count: 1 } }) && { entries: [] },
      }),
    })).toBe('same');
    expect(store.entry(KEY)?.version).toBe(before);
  });

  it('gives up as busy when it never wins', async () => {
    const store: StateStore = { ...fakeStateStore(), commit: async (all) => all.map(() => false) };
    await expect(transact(store, READY, addOne())).rejects.toMatchObject({ code: 'state_busy' });
  });

  it('hands an outage on, and does all again harmlessly', async () => {
    const store = fakeStateStore();
    const lossy: StateStore = {
      ...store,
      async commit(all, access) {
        await store.commit(all, access);
        throw new Unavailable('state_unavailable', 'apply', 'answer lost');
      },
    };
    const work: Work<boolean> = {
      keys: [KEY],
      decide([entry]) {
        if (entry === undefined) throw new Error('no entry');
        const change = changeOf(KEY, entry, { fields: { greatest: 7 } });
        return { result: change === undefined, transaction: change && { entries: [change] } };
      },
    };
    await expect(transact(lossy, READY, work)).rejects.toMatchObject({ code: 'state_unavailable' });
    expect(await transact(store, READY, work)).toBe(true);
  });
});
