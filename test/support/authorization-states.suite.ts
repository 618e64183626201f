import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuthorizationClaim, AuthorizationStates } from '../../services/kernel/authorizations.ts';
import { aCancellation, aChange, anAuthorization, PLATFORM_CLIENT, placed } from './authorization-facts.ts';

/** The ports of one implementation under test; its leases last `LEASE_MS`. */
export interface OpenedAuthorizations {
  readonly authorizations: AuthorizationStates;
  wipe(): Promise<void> | void;
  /** Sets the marks as a rebuild does when it ends. */
  rebuilt(): Promise<void> | void;
  /** Lets the lease of every claim pass. */
  passLease(): Promise<void> | void;
  close(): Promise<void> | void;
}

/** The lease that implementations under test give to claims, in ms. */
export const LEASE_MS = 400;

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
    expect(await load()).toMatchObject({ stage: 0, is_claimed: true });
    const fact = anAuthorization(id);
    expect(await states.confirm(fact, 'a')).toBe(true);
    expect(await load()).toEqual({
      stage: 1, shipment_id: '41', tracking_number: fact.tracking_number, answer: fact.answer,
      is_claimed: false,
    });
    expect(await states.claim(step(0, 1), 'b')).toEqual({ kind: 'moved' });
  });

  it('[AUTH-55] lets one caller at a time record a change, each change once', async () => {
    const change = (content_hash: string, epoch = 1) => (
      { client_id: PLATFORM_CLIENT, transport_order_id: id, epoch, content_hash }
    );
    await states.apply(placed([anAuthorization(id)]));
    expect(await states.claimChange(change('h1'), 'a')).toBe('taken');
    expect(await states.claimChange(change('h2'), 'b')).toBe('busy');
    await states.endChange(change('h1'), 'a', true);
    expect(await states.claimChange(change('h1'), 'b')).toBe('moved');
    expect(await states.claimChange(change('h2'), 'b')).toBe('taken');
    await states.endChange(change('h2'), 'b', false);
    expect((await load())?.changes).toEqual(['h1']);
    expect(await states.claimChange(change('h2', 2), 'b')).toBe('moved');
    await states.applyChanges([aChange(id, 'h2'), aChange(id, 'h1'), aChange(id, 'h9', 2)]);
    expect((await load())?.changes).toEqual(['h1', 'h2']);
    await states.apply(placed([aCancellation(id)]));
    expect((await load())?.changes).toBeUndefined();
  });

  it('gives the marks of an expired claim to the next claimant of the step', async () => {
    await states.claim(step(0, 1, { marks: { at_ms: 5, test: true } }), 'a');
    await opened.passLease();
    expect((await load())?.is_claimed).toBe(false);
    expect(await states.claim(step(0, 1), 'b')).toEqual({
      kind: 'taken', marks: { at_ms: 5, test: true },
    });
    // What the first one appended may still come into the log, whatever became of the second.
    await states.release(PLATFORM_CLIENT, id, 'b');
    expect(await states.claim(step(0, 1), 'c')).toMatchObject({ marks: { at_ms: 5 } });
    await states.release(PLATFORM_CLIENT, id, 'c');
    id = randomUUID();
    await states.claim(step(0, 1, { marks: { at_ms: 5, test: true } }), 'd');
    await states.release(PLATFORM_CLIENT, id, 'd');
    expect(await states.claim(step(0, 1), 'e')).toMatchObject({ marks: { at_ms: 7 } });
  });

  it('keeps the marks of an expired claim while a lower step is taken', async () => {
    await states.apply(placed([anAuthorization(id)]));
    await states.claim(cancelling(), 'a');
    await states.release(PLATFORM_CLIENT, id, 'a');
    await states.claim(step(1, 3, { marks: { at_ms: 5, test: true } }), 'b');
    await opened.passLease();
    expect(await states.claim(cancelling(), 'c')).toMatchObject({ marks: { at_ms: 7 } });
    expect(await states.confirm(aCancellation(id), 'c')).toBe(true);
    expect(await states.claim(step(2, 3), 'd')).toMatchObject({ marks: { at_ms: 5, test: true } });
  });

  it('releases only the claim of the caller', async () => {
    await states.claim(step(0, 1), 'a');
    await states.release(PLATFORM_CLIENT, id, 'b');
    expect(await states.claim(step(0, 1), 'b')).toEqual({ kind: 'busy' });
    await states.release(PLATFORM_CLIENT, id, 'a');
    expect(await states.claim(step(0, 1), 'b')).toMatchObject({ kind: 'taken' });
  });

  it('shows a cancellation from its claim on, also when that is given back', async () => {
    await states.apply(placed([anAuthorization(id)]));
    expect(await states.claim(cancelling(), 'a')).toMatchObject({ kind: 'taken' });
    expect(await load()).toMatchObject({ stage: 1, cancellation: aCancellation(id) });
    await states.release(PLATFORM_CLIENT, id, 'a');
    expect(await load()).toMatchObject({ cancellation: aCancellation(id), is_claimed: false });
    const other = { ...cancelling(), cancellation: aCancellation(id, 1, { at_ms: 9 }) };
    expect(await states.claim(other, 'b')).toEqual({ kind: 'moved' });
    expect(await states.claim(cancelling(), 'b')).toMatchObject({ kind: 'taken' });
    expect(await states.confirm(aCancellation(id), 'b')).toBe(true);
    expect(await load()).toEqual({
      stage: 2, shipment_id: '41', tracking_number: `RS-${id}-1`.toUpperCase(), answer: undefined,
      is_claimed: false,
    });
  });

  it('lets an authorization follow a cancellation that is not in the log yet', async () => {
    await states.apply(placed([anAuthorization(id)]));
    await states.claim(cancelling(), 'a');
    await states.release(PLATFORM_CLIENT, id, 'a');
    expect(await states.claim(step(1, 2), 'b')).toEqual({ kind: 'moved' });
    expect(await states.claim(step(1, 3), 'b')).toMatchObject({ kind: 'taken' });
    expect(await states.confirm(anAuthorization(id, 2), 'b')).toBe(true);
    expect(await load()).toMatchObject({ stage: 3, tracking_number: `RS-${id}-2`.toUpperCase() });
    expect(await load()).not.toHaveProperty('cancellation');
  });

  it('ends in the same state in any order and repetition of facts', async () => {
    const facts = placed([
      anAuthorization(id), anAuthorization(id, 1, { at_ms: 1 }), aCancellation(id),
      anAuthorization(id, 2), anAuthorization(id, 2, { at_ms: 1, shipment_id: '1' }),
    ]);
    await states.apply(facts);
    const end = await load();
    expect(end).toMatchObject({ stage: 3, tracking_number: `RS-${id}-2`.toUpperCase(), shipment_id: '41' });
    await states.apply(facts.toReversed());
    expect(await load()).toEqual(end);
    await states.apply(facts);
    expect(await load()).toEqual(end);
  });

  it('counts of two facts of one stage the one that the log has first', async () => {
    const [first, second] = placed([anAuthorization(id, 1, { at_ms: 9 }), anAuthorization(
      id, 1, { at_ms: 1, tracking_number: 'TEST1', answer: { ...anAuthorization(id).answer } },
    )]);
    await states.apply([second!]);
    expect(await load()).toMatchObject({ tracking_number: 'TEST1' });
    await states.apply([first!]);
    expect(await load()).toMatchObject({ tracking_number: `RS-${id}-1`.toUpperCase() });
    await states.apply([second!]);
    expect(await load()).toMatchObject({ tracking_number: `RS-${id}-1`.toUpperCase() });
  });

  it('confirms nothing whose claim a wipe, a lease or a fact from the log has ended', async () => {
    await states.claim(step(0, 1), 'a');
    await opened.wipe();
    await opened.rebuilt();
    expect(await states.confirm(anAuthorization(id), 'a')).toBe(false);
    expect(await load()).toBeUndefined();
    id = randomUUID();
    await states.claim(step(0, 1), 'b');
    await opened.passLease();
    expect(await states.confirm(anAuthorization(id), 'b')).toBe(false);
    expect(await load()).toMatchObject({ stage: 0 });
    await states.claim(step(0, 1), 'c');
    await states.apply(placed([anAuthorization(id, 1, { tracking_number: 'another' })]));
    expect(await states.confirm(anAuthorization(id), 'c')).toBe(false);
    expect(await load()).toMatchObject({ stage: 1, tracking_number: 'another' });
  });

  it('confirms nothing for a while after a rebuild: facts of lost claims may come', async () => {
    await opened.wipe();
    await opened.rebuilt();
    expect(await states.claim(step(0, 1), 'a')).toMatchObject({ kind: 'taken' });
    expect(await states.confirm(anAuthorization(id), 'a')).toBe(false);
    expect(await load()).toMatchObject({ stage: 0, is_claimed: true });
    await states.apply(placed([anAuthorization(id)]));
    expect(await load()).toMatchObject({ stage: 1, is_claimed: false });
  });

  it('keeps the transport orders of two clients apart', async () => {
    await states.apply(placed([anAuthorization(id)]));
    expect(await states.load('100000000000002', id)).toBeUndefined();
  });

  it('refuses to answer without the ready mark, and applies facts without it', async () => {
    await opened.wipe();
    const notReady = { code: 'state_not_ready' };
    await states.apply(placed([anAuthorization(id)]));
    await expect(load()).rejects.toMatchObject(notReady);
    await expect(states.claim(step(0, 1), 'a')).rejects.toMatchObject(notReady);
    await expect(states.confirm(anAuthorization(id), 'a')).rejects.toMatchObject(notReady);
    await expect(states.release(PLATFORM_CLIENT, id, 'a')).rejects.toMatchObject(notReady);
  });
}
