import { afterEach, beforeEach, expect, it } from 'vitest';
import type {
  MemberQuestion, StateKey, StateMember, StateStore,
} from '../../services/kernel/state-store.ts';

const ALWAYS = { requireReady: false };
const READY = { requireReady: true };
const keyOf = (id: string, shard = 7): StateKey => ({ shard, kind: 'device', id });

/** A store that is empty and ready. */
export interface OpenedStore {
  readonly store: StateStore;
  wipe(): Promise<void>;
  close(): Promise<void>;
}

/** What every implementation of the port StateStore must do. */
export function stateStoreSuite(open: () => Promise<OpenedStore>): void {
  let opened: OpenedStore;
  let store: StateStore;
  beforeEach(async () => {
    opened = await open();
    ({ store } = opened);
  });
  afterEach(() => opened.close());

  const fieldsOf = async (key: StateKey): Promise<Record<string, string>> =>
    Object.fromEntries((await store.read([key], ALWAYS)).entries[0]?.fields ?? []);
  const versionOf = async (key: StateKey): Promise<number> =>
    (await store.read([key], ALWAYS)).entries[0]?.version ?? -1;

  it('reads an absent entry as version 0 without fields, and returns its clock', async () => {
    const { nowMs, entries } = await store.read([keyOf('a'), keyOf('b', 8)], READY);
    expect(Math.abs(nowMs - Date.now())).toBeLessThan(60_000);
    expect(entries.map(({ version, fields }) => [version, fields.size])).toEqual([[0, 0], [0, 0]]);
  });

  it('changes an entry only at its version, and gives it another one', async () => {
    const key = keyOf('a');
    const change = (version: number, set: Record<string, string>, drop: readonly string[] = []) =>
      store.commit([{ entries: [{ key, version, set, drop }] }], READY);
    expect(await change(0, { one: '1', two: '' })).toEqual([true]);
    const first = await versionOf(key);
    expect(first).toBeGreaterThan(0);
    expect(await change(0, { one: 'late' })).toEqual([false]);
    expect(await change(first, { three: '3' }, ['one'])).toEqual([true]);
    expect(await fieldsOf(key)).toEqual({ two: '', three: '3' });
    expect(await change(first, { one: 'late' })).toEqual([false]);
    expect(await versionOf(key)).toBeGreaterThan(first);
  });

  it('never gives a version twice, also not after a deletion', async () => {
    const key = keyOf('a');
    const seen = new Set<number>();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await store.commit([{ entries: [{ key, version: 0, set: { at: '1' } }] }], ALWAYS);
      const version = await versionOf(key);
      seen.add(version);
      await store.commit([{ entries: [{ key, version, remove: true }] }], ALWAYS);
    }
    expect(seen.size).toBe(5);
    expect(await versionOf(key)).toBe(0);
  });

  it('applies a transaction whole or not at all, and each alone', async () => {
    const [a, b, c] = [keyOf('a'), keyOf('b'), keyOf('c', 9)];
    const set = { at: '1' };
    expect(await store.commit([
      { entries: [{ key: a, version: 0, set }, { key: b, version: 4, set }] },
      { entries: [{ key: c, version: 0, set }] },
      { entries: [{ key: a, version: 0, set: { at: '2' } }, { key: b, version: 0 }] },
      { entries: [{ key: a, version: 0, set: { at: '3' } }] },
    ], READY)).toEqual([false, true, true, false]);
    expect([await fieldsOf(a), await fieldsOf(b), await fieldsOf(c)])
      .toEqual([{ at: '2' }, {}, { at: '1' }]);
  });

  it('lets one of many writers through', async () => {
    const key = keyOf('a');
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => (
      store.commit([{ entries: [{ key, version: 0, set: { by: String(i) } }] }], READY)
    )));
    expect(answers.flat().filter(Boolean)).toHaveLength(1);
  });

  it('lets an entry expire by its own clock', async () => {
    const [gone, kept] = [keyOf('gone'), keyOf('kept')];
    const { nowMs } = await store.read([gone], READY);
    const set = { at: '1' };
    await store.commit([{
      entries: [
        { key: gone, version: 0, set, expireAtMs: nowMs - 1 },
        { key: kept, version: 0, set, expireAtMs: nowMs + 60_000 },
      ],
    }], READY);
    expect([await versionOf(gone), await fieldsOf(kept)]).toEqual([0, set]);
  });

  it('adds and removes members together with entries', async () => {
    const queue: StateKey = { shard: 7, kind: 'feeds-due', id: '' };
    const one = (member: string, score: number) => ({ member, score });
    await store.commit([{
      entries: [],
      members: [{ key: queue, add: [one('a', 1), one('b', 2), one('c', 3)] }],
    }], ALWAYS);
    await store.commit([{
      entries: [{ key: keyOf('a'), version: 1, set: { at: '1' } }],
      members: [{ key: queue, remove: ['a', 'b', 'c'] }],
    }], ALWAYS);
    await store.commit([{
      entries: [],
      members: [{
        key: queue, dropBelow: 2, remove: ['c'], add: [one('d', 4)],
        addNew: [one('b', 9), one('e', 5)], addLeast: [one('d', 7), one('f', 8), one('f', 6)],
      }],
    }], ALWAYS);
    expect(await store.takeDue(queue, 1, 100, 10)).toEqual([]);
    expect(await store.takeDue(queue, 4, 100, 1)).toEqual(['b']);
    expect(await store.takeDue(queue, 5, 101, 10)).toEqual(['d', 'e']);
    expect(await store.takeDue(queue, 100, 200, 10)).toEqual(['f', 'b']);
  });

  it('lets a set expire at the latest time that was said, and begins again after it', async () => {
    const key: StateKey = { shard: 7, kind: 'shipment-numbers', id: 'ends' };
    const { nowMs } = await store.read([keyOf('a')], ALWAYS);
    const add = (member: string, expireAtMs?: number) => store.commit([{
      entries: [],
      members: [{
        key, addLeast: [{ member, score: 1 }], ...(expireAtMs === undefined ? {} : { expireAtMs }),
      }],
    }], ALWAYS);
    const members = async () => (await store.readMembers([key], { order: 'rising', max: 9 }))
      .map(({ member }) => member);
    await add('a', nowMs + 60_000);
    await add('b', nowMs - 1);
    await add('c');
    expect(await members()).toEqual(['a', 'b', 'c']);
    const other: StateKey = { ...key, id: 'ended' };
    await store.commit([{
      entries: [],
      members: [{ key: other, add: [{ member: 'x', score: 1 }], expireAtMs: nowMs - 1 }],
    }], ALWAYS);
    expect(await store.readMembers([other], { order: 'rising', max: 9 })).toEqual([]);
  });

  it('reads members of several sets as one, in both orders, in bounds and page by page', async () => {
    const [one, two]: StateKey[] = [
      { shard: 7, kind: 'transport-devices', id: '1' },
      { shard: 9, kind: 'transport-devices', id: '2' },
    ];
    const added = (names: string, from: number) => names.split(' ').map((member, i) => (
      { member, score: from + i }
    ));
    await store.commit([
      { entries: [], members: [{ key: one!, add: added('a c e', 1) }] },
      { entries: [], members: [{ key: two!, add: [...added('b d f', 1), { member: 'z', score: 1 }] }] },
    ], ALWAYS);
    const all = async (question: Omit<MemberQuestion, 'after'>): Promise<string> => {
      let [seen, after]: [string, StateMember | undefined] = ['', undefined];
      for (;;) {
        const page = await store.readMembers([one!, two!], { ...question, after });
        expect(page.length).toBeLessThanOrEqual(question.max);
        seen += `${page.map(({ member, score }) => `${member}${score}`).join('')}|`;
        after = page.at(-1);
        if (page.length < question.max) return seen;
      }
    };
    expect(await all({ order: 'rising', max: 3 })).toBe('a1b1z1|c2d2e3|f3|');
    expect(await all({ order: 'rising', max: 1 })).toBe('a1|b1|z1|c2|d2|e3|f3||');
    expect(await all({ order: 'falling', max: 3 })).toBe('f3e3d2|c2z1b1|a1|');
    expect(await all({ order: 'rising', least: 2, max: 5 })).toBe('c2d2e3f3|');
    expect(await all({ order: 'falling', least: 2, most: 2, max: 1 })).toBe('d2|c2||');
    expect(await store.readMembers([{ ...one!, id: 'none' }], { order: 'rising', max: 1 })).toEqual([]);
    const gone = { member: 'b', score: 2 };
    expect(await store.readMembers([one!], { order: 'rising', max: 9, after: gone }))
      .toEqual([{ member: 'c', score: 2 }, { member: 'e', score: 3 }]);
  });

  it('reads and writes without the ready mark only where none is asked for', async () => {
    await opened.wipe();
    const key = keyOf('a');
    const notReady = { code: 'state_not_ready' };
    const change = { entries: [{ key, version: 0, set: { at: '1' } }] };
    await expect(store.read([key], READY)).rejects.toMatchObject(notReady);
    await expect(store.commit([change], READY)).rejects.toMatchObject(notReady);
    await expect(store.takeDue(key, 1, 1, 1)).rejects.toMatchObject(notReady);
    await expect(store.readMembers([key], { order: 'rising', max: 1 })).rejects.toMatchObject(notReady);
    expect(await store.commit([change], ALWAYS)).toEqual([true]);
    expect(await fieldsOf(key)).toEqual({ at: '1' });
  });
}
