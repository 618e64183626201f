import { afterEach, beforeEach, expect, it } from 'vitest';
import type {
  ShipmentJourney, ShipmentReassigned, ShipmentStates,
} from '../../services/kernel/shipments.ts';

/** One kind of store, empty and ready. */
export interface OpenedShipments {
  readonly shipments: ShipmentStates;
  wipe(): Promise<void>;
  close(): Promise<void>;
}

const journey = (offset: number, topic_id = 'topic-1'): ShipmentJourney => ({
  carrier: 'first', contents: ['a', 'b'],
  state: { status: 'in_transit', code: 'C', carrier_code: 'X', final: false, occurred_at_ms: -5 },
  last_notification: { topic_id, partition: 3, offset },
  received_at_ms: offset,
});

const NOW_MS = Date.now();
/** Of a shipment that has ended; `offset` also says when. */
const finished = (offset: number): ShipmentJourney => ({
  ...journey(offset), carrier: 'a', contents: [], received_at_ms: NOW_MS + offset,
  owner: { client_id: 'a', basis: 'authorization', at_ms: NOW_MS },
  state: { status: 'delivered', code: 'D', carrier_code: 'D,1', final: true, occurred_at_ms: offset },
});

const aReassignment = (carrier_client_id: string, at_ms: number): ShipmentReassigned => (
  { type: 'ShipmentReassigned', tracking_number: 'N1', carrier_client_id, at_ms }
);

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

  it('[NOT-43] says whose a number is by what was declared, an operator before an authorization', async () => {
    expect(await shipments.owners(['N1', 'N2'])).toEqual(new Map());
    await shipments.putJourneys(new Map([['N1', journey(1)]]));
    expect(await shipments.owners(['N1'])).toEqual(new Map());
    await shipments.authorize('N1', { carrier_client_id: 'b', at_ms: 2 });
    expect(await shipments.owners(['N1', 'N2', 'N1'])).toEqual(new Map([
      ['N1', { client_id: 'b', basis: 'authorization', at_ms: 2 }],
    ]));
    await shipments.reassign(aReassignment('c', 7));
    await shipments.reassign(aReassignment('d', 6));
    await shipments.authorize('N1', { carrier_client_id: 'e', at_ms: 9 });
    expect((await shipments.owners(['N1'])).get('N1'))
      .toEqual({ client_id: 'c', basis: 'reassignment', at_ms: 7 });
    expect(await shipments.find('N1')).toMatchObject({ carrier_client_id: 'c' });
  });

  it('[NOT-43] shows the state of the carrier that has the shipment, and of no other', async () => {
    await shipments.putJourneys(new Map([['N1', { ...journey(1), carrier: 'a' }]]));
    expect(await shipments.find('N1'))
      .toMatchObject({ carrier_client_id: 'a', state: journey(1).state });
    await shipments.reassign(aReassignment('b', 1));
    expect(await shipments.find('N1')).toEqual({
      platform_client_id: undefined, carrier_client_id: 'b', state: undefined,
    });
  });

  it('[PULL-11] knows both sides of a shipment, the newest of each, in any order', async () => {
    await shipments.authorize('N1', { platform_client_id: 'p', carrier_client_id: 'c', at_ms: 5 });
    await shipments.authorize('N1', { platform_client_id: 'old', at_ms: 4 });
    await shipments.authorize('N1', { carrier_client_id: 'd', at_ms: 6 });
    await shipments.authorize('N1', { carrier_client_id: 'c', at_ms: 5 });
    await shipments.putJourneys(new Map([['N1', journey(1)]]));
    expect(await shipments.find('N1')).toEqual({
      platform_client_id: 'p', carrier_client_id: 'd', state: undefined,
    });
  });

  it('keeps the journey that reaches furthest, not the last one', async () => {
    await shipments.putJourneys(new Map([['N1', journey(9)], ['N2', journey(1)]]));
    await shipments.putJourneys(new Map([['N1', { ...journey(9), contents: [] }]]));
    await shipments.putJourneys(new Map([['N1', journey(8)], ['N2', journey(10)]]));
    expect(await shipments.loadJourneys(['N2', 'N1', 'N3'], true))
      .toEqual(new Map([['N1', journey(9)], ['N2', journey(10)]]));
    expect(await shipments.find('N1')).toEqual({ carrier_client_id: 'first', state: journey(9).state });
  });

  it('[GEN-67] knows all of a shipment that is finished, and takes what comes later', async () => {
    const over = finished(1);
    await shipments.authorize('N1', { platform_client_id: 'p', carrier_client_id: 'a', at_ms: NOW_MS });
    await shipments.putJourneys(new Map([['N1', over], ['N2', finished(2)]]));
    const seen = { platform_client_id: 'p', carrier_client_id: 'a', state: over.state };
    expect(await shipments.find('N1')).toEqual(seen);
    expect(await shipments.loadJourneys(['N1', 'N2'], true))
      .toEqual(new Map([['N1', over], ['N2', finished(2)]]));
    expect((await shipments.owners(['N1'])).get('N1'))
      .toEqual({ client_id: 'a', basis: 'authorization', at_ms: NOW_MS });
    await shipments.putJourneys(new Map([['N1', over]]));
    await shipments.putJourneys(new Map([['N1', finished(3)]]));
    expect((await shipments.loadJourneys(['N1'], true)).get('N1')).toEqual(finished(3));
    await shipments.authorize('N1', { platform_client_id: 'q', at_ms: NOW_MS + 1 });
    expect(await shipments.find('N1')).toEqual({
      ...seen, platform_client_id: 'q', state: finished(3).state,
    });
  });

  it('[NOT-47] goes on with a finished shipment that has another carrier', async () => {
    await shipments.putJourneys(new Map([['N1', finished(1)]]));
    await shipments.reassign(aReassignment('b', NOW_MS));
    expect(await shipments.find('N1')).toMatchObject({ carrier_client_id: 'b', state: undefined });
    const own = { ...journey(9), carrier: 'b', received_at_ms: NOW_MS };
    await shipments.putJourneys(new Map([['N1', own]]));
    expect((await shipments.loadJourneys(['N1'], true)).get('N1')).toEqual(own);
    await shipments.putJourneys(new Map([['N1', { ...finished(10), carrier: 'b' }]]));
    expect(await shipments.find('N1'))
      .toEqual({ carrier_client_id: 'b', state: finished(10).state });
  });

  it('[GEN-67] loses none of those that finish at once', async () => {
    const numbers = Array.from({ length: 200 }, (_, at) => `RST${at}`);
    const all = numbers.map((number, at) => [
      number, { ...finished(at), carrier: `carrier-${at % 7}` },
    ] as const);
    await Promise.all(all.map(async (one, at) => {
      await shipments.putJourneys(new Map([one]));
      if (at % 2 === 0) await shipments.authorize(one[0], { platform_client_id: 'p', at_ms: NOW_MS });
    }));
    await shipments.putJourneys(new Map(all));
    expect(await shipments.loadJourneys(numbers, true)).toEqual(new Map(all));
    expect(await shipments.find('RST8')).toMatchObject({ platform_client_id: 'p' });
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
    await expect(shipments.owners(['N1'])).rejects.toMatchObject(refused);
    await expect(shipments.loadJourneys(['N1'], true)).rejects.toMatchObject(refused);
    await shipments.putJourneys(new Map([['N1', journey(1)]]));
    await shipments.authorize('N1', { carrier_client_id: 'b', at_ms: 1 });
    expect((await shipments.loadJourneys(['N1'], false)).get('N1')).toEqual(journey(1));
  });
}
