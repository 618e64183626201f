import { beforeEach, describe, expect, it } from 'vitest';
import type { StateKey, StateStore } from '../../../services/kernel/state-store.ts';
import { createDryStore } from '../../../services/state/dry-store.ts';
import { fakeStateStore, type FakeStateStore } from '../../support/fake-state-store.ts';

const KEY: StateKey = { shard: 1, kind: 'lease', id: 'a' };
const READY = { requireReady: true };

describe('the store of a dry run', () => {
  let real: FakeStateStore;
  let dry: StateStore;
  beforeEach(async () => {
    real = fakeStateStore();
    await real.commit([{ entries: [{ key: KEY, version: 0, set: { one: '1', two: '2' } }] }], READY);
    dry = createDryStore(real);
  });

  const entryIn = async (store: StateStore, only?: readonly string[]) => {
    const key = only === undefined ? KEY : { ...KEY, only };
    const { entries: [entry] } = await store.read([key], READY);
    return { version: entry?.version ?? -1, fields: Object.fromEntries(entry?.fields ?? []) };
  };

  it('reads what is there', async () => {
    expect(await entryIn(dry)).toEqual(await entryIn(real));
    expect((await entryIn(dry, ['two'])).fields).toEqual({ two: '2' });
  });

  it('finds what it wrote, of which the real one has nothing', async () => {
    const before = real.dump();
    const { version } = await entryIn(dry);
    const changes = { entries: [{ key: KEY, version, set: { one: '9' }, drop: ['two'] }] };
    expect(await dry.commit([changes], READY)).toEqual([true]);
    expect((await entryIn(dry)).fields).toEqual({ one: '9' });
    expect((await entryIn(dry, ['two'])).fields).toEqual({});
    expect(real.dump()).toEqual(before);
    expect((await entryIn(createDryStore(real))).fields).toEqual({ one: '1', two: '2' });
  });

  it('is in no doubt about what it wrote, also soon after a rebuild', async () => {
    const rebuilt = createDryStore({
      ...real,
      read: async (keys, access) => {
        const { nowMs, entries } = await real.read(keys, access);
        return { nowMs, entries: entries.map((entry) => ({ ...entry, inDoubt: true })) };
      },
    });
    const doubt = async () => (await rebuilt.read([KEY], READY)).entries[0]?.inDoubt;
    expect(await doubt()).toBe(true);
    const { version } = await entryIn(rebuilt);
    await rebuilt.commit([{ entries: [{ key: KEY, version, set: { one: '9' } }] }], READY);
    expect(await doubt()).toBe(false);
  });

  it('refuses a change of another version, also of one that it wrote', async () => {
    const { version } = await entryIn(dry);
    const change = (of: number) => ({ entries: [{ key: KEY, version: of, set: { one: '9' } }] });
    expect(await dry.commit([change(version + 7)], READY)).toEqual([false]);
    expect(await dry.commit([change(version), change(version)], READY)).toEqual([true, false]);
  });

  it('removes an entry, which then has version 0', async () => {
    const { version } = await entryIn(dry);
    await dry.commit([{ entries: [{ key: KEY, version, remove: true }] }], READY);
    expect(await entryIn(dry)).toEqual({ version: 0, fields: {} });
    expect((await entryIn(real)).fields).toEqual({ one: '1', two: '2' });
  });

  it('changes nothing where one of several versions is another', async () => {
    const other: StateKey = { ...KEY, id: 'b' };
    const { version } = await entryIn(dry);
    const both = { entries: [
      { key: KEY, version, set: { one: '9' } }, { key: other, version: 3, set: { one: '9' } },
    ] };
    expect(await dry.commit([both], READY)).toEqual([false]);
    expect((await entryIn(dry)).fields).toEqual({ one: '1', two: '2' });
  });

  it('fails as the real one fails, and takes nothing that is due', async () => {
    real.failWith('state_unavailable');
    await expect(dry.read([KEY], READY)).rejects.toThrow('as the test asked');
    await expect(dry.takeDue(KEY, 0, 1, 1)).rejects.toThrow('takes nothing');
  });
});
