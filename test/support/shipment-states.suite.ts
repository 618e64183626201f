import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ShipmentJourney, ShipmentStates } from '../../services/kernel/shipments.ts';

/** One kind of store, empty and ready. */
export interface OpenedShipments {
  readonly shipments: ShipmentStates;
  wipe(): Promise<void>;
  /** Sets the marks as a rebuild does when it ends. */
  rebuilt(): Promise<void>;
  /** Lets the lease of every reservation pass. */
  passLease(): Promise<void>;
  close(): Promise<void>;
}

const journey = (offset: number, topic_id = 'topic-1'): ShipmentJourney => ({
  carrier: 'first', contents: ['a', 'b'],
  state: { status: 'in_transit', code: 'C', carrier_code: 'X', final: false, occurred_at_ms: -5 },
  last_notification: { topic_id, partition: 3, offset },
});

/** What every store of shipments must do. */
export function shipmentStatesSuite(open: () => Promise<OpenedShipments>): void {
  let opened: OpenedShipments;
  let shipments: ShipmentStates;
  beforeEach(async () => {
    opened = await open();
    shipments = opened.shipments;
  });
  afterEach(() => opened.close());

  it('knows no shipment at first', async () => {
    expect(await shipments.find('N1')).toBeUndefined();
    expect(await shipments.loadJourneys(['N1', 'N2'], true)).toEqual(new Map());
  });

  it('[NOT-43] gives a number to the first carrier that notifies it only', async () => {
    expect(await shipments.claim(['N1', 'N2', 'N1'], 'a')).toBe('reserved');
    expect(await shipments.claim(['N1'], 'a')).toBe('reserved');
    expect(await shipments.claim(['N0', 'N2'], 'b')).toBe('busy');
    expect(await shipments.find('N1')).toBeUndefined();
    expect(await shipments.confirm(['N1', 'N2'], 'a')).toBe('owned');
    expect(await shipments.claim(['N1', 'N2'], 'a')).toBe('owned');
    expect(await shipments.claim(['N1', 'N3'], 'b')).toBe('foreign');
    expect(await shipments.claim(['N3'], 'c')).toBe('reserved');
    expect(await shipments.find('N1')).toEqual({ carrier_client_id: 'a', state: undefined });
  });

  it('[NOT-43] gives a number to the carrier that authorized it, not to one that notified it', async () => {
    await shipments.claim(['N1'], 'a');
    await shipments.confirm(['N1'], 'a');
    await shipments.authorize('N1', { carrier_client_id: 'b', at_ms: 1 });
    expect(await shipments.claim(['N1'], 'a')).toBe('foreign');
    expect(await shipments.claim(['N1'], 'b')).toBe('owned');
    expect((await shipments.find('N1'))?.carrier_client_id).toBe('b');
  });

  it('[PULL-11] knows both sides of a shipment, the newest of each, in any order', async () => {
    await shipments.authorize('N1', { platform_client_id: 'p', carrier_client_id: 'c', at_ms: 5 });
    await shipments.authorize('N1', { platform_client_id: 'old', at_ms: 4 });
    await shipments.authorize('N1', { carrier_client_id: 'd', at_ms: 6 });
    await shipments.authorize('N1', { carrier_client_id: 'c', at_ms: 5 });
    await shipments.putJourneys(new Map([['N1', journey(1)]]));
    expect(await shipments.find('N1')).toEqual({
      platform_client_id: 'p', carrier_client_id: 'd', state: journey(1).state,
    });
  });

  it('[NOT-43] lets the log say whose a number is after a reservation that lapsed', async () => {
    await shipments.claim(['N1'], 'a');
    await opened.passLease();
    expect(await shipments.confirm(['N1'], 'a')).toBe('unknown');
    expect(await shipments.claim(['N1', 'N2'], 'b')).toBe('reserved');
    expect(await shipments.confirm(['N1'], 'a')).toBe('unknown');
    expect(await shipments.confirm(['N1', 'N2'], 'b')).toBe('unknown');
    expect((await shipments.find('N2'))?.carrier_client_id).toBe('b');
    // The projector has applied what the log has first.
    await shipments.putJourneys(new Map([['N1', { ...journey(1), carrier: 'a' }]]));
    expect(await shipments.confirm(['N1'], 'a')).toBe('owned');
    expect(await shipments.confirm(['N1', 'N2'], 'b')).toBe('foreign');
  });

  it('[NOT-43] lets the log say whose a number is for a while after a rebuild', async () => {
    await shipments.claim(['N1'], 'a');
    await opened.wipe();
    await opened.rebuilt();
    expect(await shipments.confirm(['N1'], 'a')).toBe('unknown');
    expect(await shipments.claim(['N1'], 'b')).toBe('reserved');
    expect(await shipments.confirm(['N1'], 'b')).toBe('unknown');
    await shipments.putJourneys(new Map([['N1', { ...journey(1), carrier: 'a' }]]));
    expect(await shipments.confirm(['N1'], 'b')).toBe('foreign');
  });

  it('keeps the journey that reaches furthest, not the last one', async () => {
    await shipments.putJourneys(new Map([['N1', journey(9)], ['N2', journey(1)]]));
    await shipments.putJourneys(new Map([['N1', { ...journey(9), contents: [] }]]));
    await shipments.putJourneys(new Map([['N1', journey(8)], ['N2', journey(10)]]));
    expect(await shipments.loadJourneys(['N2', 'N1', 'N3'], true))
      .toEqual(new Map([['N1', journey(9)], ['N2', journey(10)]]));
    expect(await shipments.find('N1')).toEqual({ carrier_client_id: 'first', state: journey(9).state });
  });

  it('takes the record ids of a topic that was made again', async () => {
    await shipments.putJourneys(new Map([['N1', journey(9)]]));
    await shipments.putJourneys(new Map([['N1', journey(0, 'topic-2')]]));
    expect((await shipments.loadJourneys(['N1'], true)).get('N1')).toEqual(journey(0, 'topic-2'));
  });

  it('answers nothing from a store that is not ready, and takes facts all the same', async () => {
    await opened.wipe();
    const refused = { code: 'state_not_ready' };
    await expect(shipments.find('N1')).rejects.toMatchObject(refused);
    await expect(shipments.claim(['N1'], 'a')).rejects.toMatchObject(refused);
    await expect(shipments.confirm(['N1'], 'a')).rejects.toMatchObject(refused);
    await expect(shipments.loadJourneys(['N1'], true)).rejects.toMatchObject(refused);
    await shipments.putJourneys(new Map([['N1', journey(1)]]));
    await shipments.authorize('N1', { carrier_client_id: 'b', at_ms: 1 });
    expect((await shipments.loadJourneys(['N1'], false)).get('N1')).toEqual(journey(1));
  });
}
