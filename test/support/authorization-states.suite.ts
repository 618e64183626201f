import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuthorizationClaim, AuthorizationStates } from '../../services/kernel/authorizations.ts';
import { aCancellation, anAuthorization, PLATFORM_CLIENT } from './authorization-facts.ts';

/** The ports of one implementation under test; its leases last `LEASE_MS`. */
export interface OpenedAuthorizations {
  readonly authorizations: AuthorizationStates;
  wipe(): Promise<void> | void;
  /** Lets the lease of every claim pass. */
  passLease(): Promise<void> | void;
  close(): Promise<void> | void;
}

/** The lease that implementations under test give to claims, in ms. */
export const LEASE_MS = 60;

/** What every implementation of the ports about authorizations must do. */
export function authorizationStatesSuite(open: () => Promise<OpenedAuthorizations>): void {
  let opened: OpenedAuthorizations;
  let states: AuthorizationStates;
  let id: string;
  beforeEach(async () => {
    opened = await open();
    states = opened.authorizations;
    id = randomUUID();
  });
  afterEach(() => opened.close());

  const load = () => states.load(PLATFORM_CLIENT, id);
  const step = (from: number, to: number, wishes: Partial<AuthorizationClaim> = {}) => ({
    client_id: PLATFORM_CLIENT, transport_order_id: id, from, to,
    marks: { at_ms: 7, test: false }, ...wishes,
  });
  const cancelling = (epoch = 1) => step(2 * epoch - 1, 2 * epoch, {
    cancellation: aCancellation(id, epoch),
  });

  it('lets one caller at a time decide about a transport order', async () => {
    expect(await load()).toBeUndefined();
    expect(await states.claim(step(0, 1), 'a')).toEqual({
      kind: 'taken', marks: { at_ms: 7, test: false },
    });
    expect(await states.claim(step(0, 1), 'b')).toEqual({ kind: 'busy' });
    expect(await load()).toMatchObject({ rank: 0, is_claimed: true });
    const fact = anAuthorization(id);
    await states.confirm(fact);
    expect(await load()).toEqual({
      rank: 1, shipment_id: '41', tracking_number: fact.tracking_number, answer: fact.answer,
      is_claimed: false,
    });
    expect(await states.claim(step(0, 1), 'b')).toEqual({ kind: 'moved' });
  });

  it('gives the marks of an expired claim to whoever takes the same step over', async () => {
    await states.claim(step(0, 1, { marks: { at_ms: 5, test: true } }), 'a');
    await opened.passLease();
    expect((await load())?.is_claimed).toBe(false);
    expect(await states.claim(step(0, 1), 'b')).toEqual({
      kind: 'taken', marks: { at_ms: 5, test: true },
    });
    await states.release(PLATFORM_CLIENT, id, 'b');
    expect(await states.claim(step(0, 1), 'c')).toMatchObject({ marks: { at_ms: 7 } });
  });

  it('releases only the claim of the caller', async () => {
    await states.claim(step(0, 1), 'a');
    await states.release(PLATFORM_CLIENT, id, 'b');
    expect(await states.claim(step(0, 1), 'b')).toEqual({ kind: 'busy' });
    await states.release(PLATFORM_CLIENT, id, 'a');
    expect(await states.claim(step(0, 1), 'b')).toMatchObject({ kind: 'taken' });
  });

  it('shows a cancellation from its claim on, also when that is given back', async () => {
    await states.apply([anAuthorization(id)]);
    expect(await states.claim(cancelling(), 'a')).toMatchObject({ kind: 'taken' });
    expect(await load()).toMatchObject({ rank: 1, cancellation: aCancellation(id) });
    await states.release(PLATFORM_CLIENT, id, 'a');
    expect(await load()).toMatchObject({ cancellation: aCancellation(id), is_claimed: false });
    const other = { ...cancelling(), cancellation: aCancellation(id, 1, { at_ms: 9 }) };
    expect(await states.claim(other, 'b')).toEqual({ kind: 'moved' });
    expect(await states.claim(cancelling(), 'b')).toMatchObject({ kind: 'taken' });
    await states.confirm(aCancellation(id));
    expect(await load()).toEqual({
      rank: 2, shipment_id: '41', tracking_number: `RS-${id}-1`, answer: undefined,
      is_claimed: false,
    });
  });

  it('lets an authorization follow a cancellation that is not in the log yet', async () => {
    await states.apply([anAuthorization(id)]);
    await states.claim(cancelling(), 'a');
    await states.release(PLATFORM_CLIENT, id, 'a');
    expect(await states.claim(step(1, 2), 'b')).toEqual({ kind: 'moved' });
    expect(await states.claim(step(1, 3), 'b')).toMatchObject({ kind: 'taken' });
    await states.confirm(anAuthorization(id, 2));
    expect(await load()).toMatchObject({ rank: 3, tracking_number: `RS-${id}-2` });
    expect(await load()).not.toHaveProperty('cancellation');
  });

  it('ends in the same state in any order and repetition of facts', async () => {
    const earlier = anAuthorization(id, 1, { at_ms: 1 });
    const facts = [
      anAuthorization(id), earlier, aCancellation(id), anAuthorization(id, 2), earlier,
    ];
    await states.apply(facts);
    const end = await load();
    expect(end).toMatchObject({ rank: 3, tracking_number: `RS-${id}-2` });
    await states.apply(facts.toReversed());
    expect(await load()).toEqual(end);
    id = randomUUID();
    await states.apply([anAuthorization(id), anAuthorization(id, 1, { at_ms: 1, shipment_id: '1' })]);
    expect(await load()).toMatchObject({ rank: 1, shipment_id: '1' });
    await states.apply([anAuthorization(id)]);
    expect(await load()).toMatchObject({ shipment_id: '1' });
  });

  it('keeps the transport orders of two clients apart', async () => {
    await states.apply([anAuthorization(id)]);
    expect(await states.load('100000000000002', id)).toBeUndefined();
  });

  it('refuses to answer without the ready mark, and applies facts without it', async () => {
    await opened.wipe();
    const notReady = { code: 'state_not_ready' };
    await states.apply([anAuthorization(id)]);
    await expect(load()).rejects.toMatchObject(notReady);
    await expect(states.claim(step(0, 1), 'a')).rejects.toMatchObject(notReady);
    await expect(states.confirm(anAuthorization(id))).rejects.toMatchObject(notReady);
    await expect(states.release(PLATFORM_CLIENT, id, 'a')).rejects.toMatchObject(notReady);
  });
}
