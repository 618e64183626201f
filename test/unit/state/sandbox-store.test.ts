import { beforeEach, describe, expect, it } from 'vitest';
import { SandboxFull } from '../../../services/kernel/sandbox.ts';
import type { StateKey, StateStore } from '../../../services/kernel/state-store.ts';
import { createSandboxStore, sandboxKey } from '../../../services/state/sandbox-store.ts';
import { withRanges } from '../../../services/state/number-ranges.ts';
import { aClient } from '../../support/state-facts.ts';
import { fakeStateStore, type FakeStateStore } from '../../support/fake-state-store.ts';

const MINE = '100000000000042';
const OTHERS = '100000000000043';
const KEY: StateKey = { shard: 3, kind: 'device', id: 'd-1' };
const SET: StateKey = { shard: 5, kind: 'fleet-clients', id: '' };
const READY = { requireReady: true };
const LIMITS = { lifeMs: 86_400_000, entriesMax: 4 };

describe('a sandbox client', () => {
  it('takes no tracking numbers from a carrier', () => {
    const declared = aClient({ client_id: OTHERS, tracking_numbers: ['RST'] });
    const { fields } = withRanges(new Map(), declared);
    const kept = new Map(Object.entries(fields as Record<string, string>));
    const sandboxed = aClient({ client_id: MINE, tracking_numbers: ['RST1'], sandbox: true });
    expect(withRanges(kept, sandboxed).fields).toEqual(fields);
    expect(withRanges(kept, { ...sandboxed, sandbox: false }).fields).toHaveProperty(MINE);
  });
});

describe('the store of a sandbox', () => {
  let nowMs = 1_000;
  let real: FakeStateStore;
  let mine: StateStore;
  beforeEach(() => {
    nowMs = 1_000;
    real = fakeStateStore({ nowMs: () => nowMs });
    mine = createSandboxStore(LIMITS, real, MINE);
  });

  const fieldsIn = async (store: StateStore, key = KEY): Promise<object> => (
    Object.fromEntries((await store.read([key], READY)).entries[0]?.fields ?? [])
  );
  const put = async (store: StateStore, id: string, one = '1'): Promise<boolean> => {
    const key = { ...KEY, id };
    const version = (await store.read([key], READY)).entries[0]?.version ?? -1;
    return (await store.commit([{ entries: [{ key, version, set: { one } }] }], READY))[0] === true;
  };
  const remove = async (id: string): Promise<void> => {
    const key = { ...KEY, id };
    const version = (await mine.read([key], READY)).entries[0]?.version ?? 0;
    await mine.commit([{ entries: [{ key, version, remove: true }] }], READY);
  };

  it('finds its own entries, and neither the real ones nor those of another client', async () => {
    await real.commit([{ entries: [{ key: KEY, version: 0, set: { one: 'real' } }] }], READY);
    expect(await fieldsIn(mine)).toEqual({});
    await put(mine, KEY.id, 'mine');
    expect(await fieldsIn(mine)).toEqual({ one: 'mine' });
    expect(await fieldsIn(real)).toEqual({ one: 'real' });
    expect(await fieldsIn(createSandboxStore(LIMITS, real, OTHERS))).toEqual({});
  });

  it('writes nothing whose name others ask for', async () => {
    await mine.commit([{
      entries: [{ key: KEY, version: 0, set: { one: '1' } }],
      members: [{ key: SET, addNew: [{ member: MINE, score: 0 }] }],
    }], READY);
    expect(real.all().map(({ key }) => key.kind)).toEqual(['sandbox', 'sandbox']);
    expect([...real.members(SET)]).toEqual([]);
    expect([...real.members(sandboxKey(MINE, SET)).keys()]).toEqual([MINE]);
    const question = { order: 'rising', max: 9 } as const;
    expect(await mine.readMembers([SET], question)).toEqual([{ member: MINE, score: 0 }]);
  });

  it('goes a day after its first write, whatever was written later or is said to stay', async () => {
    await put(mine, 'first');
    nowMs += LIMITS.lifeMs - 1;
    await mine.commit([{
      entries: [{ key: KEY, version: 0, set: { one: '1' }, expireAtMs: nowMs * 9 }],
      members: [{ key: SET, addNew: [{ member: MINE, score: 0 }], expireAtMs: nowMs * 9 }],
    }], READY);
    expect(await fieldsIn(mine)).toEqual({ one: '1' });
    nowMs += 2;
    expect(await fieldsIn(mine)).toEqual({});
    expect(await fieldsIn(mine, { ...KEY, id: 'first' })).toEqual({});
    expect(await mine.readMembers([SET], { order: 'rising', max: 9 })).toEqual([]);
  });

  it('takes no more entries than its limit, and more once some are gone', async () => {
    for (const id of ['a', 'b', 'c', 'd']) expect(await put(mine, id)).toBe(true);
    await expect(put(mine, 'e')).rejects.toBeInstanceOf(SandboxFull);
    expect(await put(mine, 'a', '2')).toBe(true);
    await remove('a');
    expect(await put(mine, 'e')).toBe(true);
    await expect(put(mine, 'f')).rejects.toMatchObject({ entriesMax: 4, untilMs: 86_401_000 });
    await expect(put(createSandboxStore(LIMITS, real, OTHERS), 'f')).resolves.toBe(true);
    nowMs += LIMITS.lifeMs;
    expect(await put(mine, 'f')).toBe(true);
  });

  it('takes what many calls write at the same time, once each', async () => {
    const wide = createSandboxStore({ ...LIMITS, entriesMax: 20 }, real, MINE);
    const ids = Array.from({ length: 20 }, (_, at) => `d-${at}`);
    expect(await Promise.all(ids.map((id) => put(wide, id)))).toEqual(ids.map(() => true));
    await expect(put(wide, 'more')).rejects.toBeInstanceOf(SandboxFull);
  });

  it('changes nothing of another version', async () => {
    await put(mine, KEY.id);
    const change = { entries: [{ key: KEY, version: 7, set: { one: '9' } }] };
    expect(await mine.commit([change], READY)).toEqual([false]);
    expect(await mine.commit([{ entries: [{ ...change.entries[0]!, version: 0 }] }], READY))
      .toEqual([false]);
    expect(await fieldsIn(mine)).toEqual({ one: '1' });
  });

  it('has nothing that is due, and fails as the real one fails', async () => {
    await expect(mine.takeDue(KEY, 1, 2, 3)).rejects.toThrow('Nothing is due');
    real.failWith('state_unavailable');
    await expect(put(mine, 'a')).rejects.toMatchObject({ code: 'state_unavailable' });
  });
});
