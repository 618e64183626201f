import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Leases } from '../../services/kernel/leases.ts';
import type { PartyStates } from '../../services/kernel/parties.ts';
import { aParty } from './command-facts.ts';

/** The ports of one implementation under test. */
export interface OpenedParties {
  readonly parties: PartyStates;
  wipe(): Promise<void>;
  close(): Promise<void>;
}

/** What every implementation of the port PartyStates must do. */
export function partyStatesSuite(open: () => Promise<OpenedParties>): void {
  let states: OpenedParties;
  beforeEach(async () => { states = await open(); });
  afterEach(() => states.close());

  it('keeps the newest version of a party, whatever comes last', async () => {
    const first = aParty();
    const third = { ...first, version: 3, base_url: 'https://third.example' };
    await states.parties.apply(first);
    await states.parties.apply(third);
    await states.parties.apply({ ...first, version: 2 });
    expect(await states.parties.find(first.party_id)).toEqual(third);
    expect(await states.parties.find('nobody')).toBeUndefined();
  });

  it('finds the active party of a provider, and no other', async () => {
    const party = aParty({ provider: 'one' });
    await states.parties.apply(party);
    expect(await states.parties.byProvider('one')).toEqual(party);
    expect(await states.parties.byProvider('two')).toBeUndefined();
    await states.parties.apply({ ...party, version: 2, provider: 'two', at_ms: party.at_ms + 1 });
    expect(await states.parties.byProvider('one')).toBeUndefined();
    expect(await states.parties.byProvider('two')).toMatchObject({ party_id: party.party_id });
    await states.parties.apply({ ...party, version: 3, provider: 'two', status: 'disabled' });
    expect(await states.parties.byProvider('two')).toBeUndefined();
  });

  it('lists the active carriers', async () => {
    const [on, off] = [aParty({ kind: 'carrier' }), aParty({ kind: 'carrier' })];
    await states.parties.apply(on);
    await states.parties.apply(off);
    await states.parties.apply({ ...off, version: 2, status: 'disabled' });
    await states.parties.apply(aParty());
    const ids = (await states.parties.carriers()).map(({ party_id }) => party_id);
    expect(ids).toEqual([on.party_id]);
  });

  it('refuses to answer without the ready mark, and applies facts without it', async () => {
    await states.wipe();
    const notReady = { code: 'state_not_ready' };
    await states.parties.apply(aParty());
    await expect(states.parties.find('x')).rejects.toMatchObject(notReady);
    await expect(states.parties.byProvider('acme')).rejects.toMatchObject(notReady);
    await expect(states.parties.carriers()).rejects.toMatchObject(notReady);
  });
}

/** What every implementation of the port Leases must do. */
export function leasesSuite(open: () => Promise<{ leases: Leases; close(): Promise<void> }>): void {
  let states: { leases: Leases; close(): Promise<void> };
  beforeEach(async () => { states = await open(); });
  afterEach(() => states.close());

  it('gives a lease to one owner at a time, with a fence that rises', async () => {
    const { leases } = states;
    expect(await leases.claim('l', 'a', 60_000, 0)).toBe(1);
    expect(await leases.claim('l', 'b', 60_000, 0)).toBeUndefined();
    expect(await leases.claim('l', 'a', 60_000, 0)).toBe(1);
    expect(await leases.renew('l', 'b', 60_000)).toBe(false);
    await leases.release('l', 'b');
    expect(await leases.renew('l', 'a', 60_000)).toBe(true);
    await leases.release('l', 'a');
    expect(await leases.renew('l', 'a', 60_000)).toBe(false);
    expect(await leases.claim('l', 'b', 60_000, 0)).toBe(2);
  });

  it('passes an expired lease on, and rises above what the log knows', async () => {
    const { leases } = states;
    await leases.claim('l', 'a', 1, 0);
    await expect.poll(() => leases.claim('l', 'b', 60_000, 41)).toBe(42);
    expect(await leases.renew('l', 'a', 60_000)).toBe(false);
    expect(await leases.claim('m', 'a', 60_000, 7)).toBe(8);
  });
}
