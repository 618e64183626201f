import { beforeEach, describe, expect, it } from 'vitest';
import type { ShipmentAuthorized } from '../../../services/kernel/authorizations.ts';
import {
  expiryOf, FINISHED_MS, HISTORY_MS, LEAVING_MS,
} from '../../../services/kernel/lifetimes.ts';
import type { ShipmentJourney } from '../../../services/kernel/shipments.ts';
import { finishedKey } from '../../../services/state/find-shipments.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';
import {
  aClient, aRegistration, logRecordId, placed, startOf, stopOf,
} from '../../support/state-facts.ts';

const START_MS = 1_764_000_000_000;
const NUMBER = 'RST1';
const AUTHORIZED: ShipmentAuthorized = {
  type: 'ShipmentAuthorized', client_id: 'p', transport_order_id: 'o', shipment_id: 's', epoch: 1,
  tracking_number: NUMBER, at_ms: START_MS,
} as ShipmentAuthorized;
const RECORD = logRecordId(1);

const journey = (final: boolean, received_at_ms: number, offset = 1): ShipmentJourney => ({
  carrier: 'c', contents: [], received_at_ms,
  state: { code: 'C', carrier_code: 'X', final, occurred_at_ms: received_at_ms },
  last_notification: { topic_id: 't', partition: 0, offset },
});

let states: MemoryStates;
let nowMs: number;
beforeEach(() => {
  nowMs = START_MS;
  states = memoryStates(() => nowMs);
});

const endOf = (kind: string): number | undefined => states.store.ofKind(kind)[0]?.expireAtMs;

async function authorize(fact = AUTHORIZED): Promise<void> {
  await states.authorizations.apply([{ event: fact, recordId: RECORD }]);
  await states.shipments.authorize(NUMBER, { platform_client_id: 'p', at_ms: fact.at_ms });
  await states.shipmentIndex.add([{
    tracking_number: fact.tracking_number, transport_order_id: 'o', shipment_id: 's',
    platform_client_id: 'p', epoch: fact.epoch, at_ms: fact.at_ms,
  }]);
}

describe('A shipment in the state store', () => {
  it('[GEN-67] leaves 400 days after the last fact about it, and its index with it', async () => {
    await authorize();
    const at = expiryOf(START_MS, HISTORY_MS, START_MS);
    expect(['shipment', 'authorization', 'shipment-orders'].map(endOf)).toEqual([at, at, at]);
    expect((await states.shipmentIndex.find('shipment_id', 's', undefined, 1)).trackingNumbers)
      .toEqual([NUMBER]);
    nowMs = START_MS + 1_000;
    await states.shipments.putJourneys(new Map([[NUMBER, journey(false, nowMs)]]));
    expect(endOf('shipment')).toBe(at + 1_000);
    nowMs = at + 1_000;
    expect(await states.shipments.find(NUMBER)).toBeUndefined();
    expect(await states.authorizations.load('p', 'o')).toBeUndefined();
    expect(await states.shipmentIndex.ofNumber(NUMBER)).toEqual([]);
    expect((await states.shipmentIndex.find('shipment_id', 's', undefined, 1)).trackingNumbers)
      .toEqual([]);
  });

  it('[GEN-67] lets its authorization go 30 days after its last notification, once final', async () => {
    await authorize();
    await states.shipments.putJourneys(new Map([[NUMBER, journey(true, START_MS + 5)]]));
    const gone = expiryOf(START_MS + 5, FINISHED_MS, nowMs);
    expect([endOf('authorization'), endOf('shipment-orders')]).toEqual([gone, gone]);
    const left = expiryOf(START_MS + 5, HISTORY_MS, nowMs);
    nowMs = left - 1;
    expect(await states.shipments.find(NUMBER)).toMatchObject({ state: { final: true } });
    nowMs = left;
    expect(await states.shipments.find(NUMBER)).toBeUndefined();
  });

  it('[GEN-67] is listed under its names until then, or as long as they have other numbers', async () => {
    const found = async () => (
      await states.shipmentIndex.find('shipment_id', 's', undefined, 9)
    ).trackingNumbers;
    await authorize();
    await states.shipments.putJourneys(new Map([[NUMBER, journey(true, START_MS)]]));
    nowMs = expiryOf(START_MS, FINISHED_MS, START_MS) - 1;
    expect(await found()).toEqual([NUMBER]);
    await authorize({ ...AUTHORIZED, epoch: 2, tracking_number: 'RST2', at_ms: START_MS + 1 });
    nowMs += 1;
    await states.shipments.putJourneys(new Map([[NUMBER, journey(true, START_MS, 2)]]));
    nowMs += LEAVING_MS;
    expect(await found()).toEqual(['RST2', NUMBER]);
  });

  it('[GEN-67] keeps the order that has another number by now', async () => {
    await authorize();
    await authorize({ ...AUTHORIZED, epoch: 2, tracking_number: 'RST2' });
    await states.shipments.putJourneys(new Map([[NUMBER, journey(true, START_MS)]]));
    expect(endOf('authorization')).toBe(expiryOf(START_MS, HISTORY_MS, nowMs));
  });

  it('[GEN-67] makes room, once it has left, for those that are packed beside it', async () => {
    const { shard, id } = finishedKey('RST0');
    const beside: string[] = [];
    for (let at = 0; beside.length < 3; at += 1) {
      const key = finishedKey(`RST${at}`);
      if (key.shard === shard && key.id === id) beside.push(`RST${at}`);
    }
    const [first = '', second = '', third = ''] = beside;
    const packOn = async (number: string, day: number): Promise<readonly string[]> => {
      nowMs = START_MS + day * 86_400_000;
      await states.shipments.putJourneys(new Map([[number, journey(true, nowMs, day)]]));
      return [...states.store.ofKind('finished-shipments')[0]?.fields.keys() ?? []];
    };
    expect(await packOn(first, 0)).toEqual([first]);
    expect(await packOn(second, 300)).toEqual([first, second]);
    // One day of sixteen is its turn.
    for (let day = 408; day < 424; day += 1) await packOn(third, day);
    expect(await packOn(third, 424)).toEqual([second, third]);
  });

  it('[GEN-67] stays some days when a rebuild brings it back after its end', async () => {
    nowMs = START_MS + 2 * HISTORY_MS;
    await authorize();
    expect(endOf('shipment')).toBe(nowMs + LEAVING_MS);
  });

  it('[GEN-67] forgets sides that are 400 days older than the last fact, in any order', async () => {
    const old = { carrier_client_id: 'old', at_ms: START_MS };
    const late = { platform_client_id: 'late', at_ms: START_MS + HISTORY_MS };
    for (const [number, facts] of [['A', [old, late]], ['B', [late, old]]] as const) {
      for (const fact of facts) await states.shipments.authorize(number, fact);
      expect(await states.shipments.find(number))
        .toMatchObject({ platform_client_id: 'late', carrier_client_id: undefined });
    }
  });
});

describe('A device in the state store', () => {
  const client = aClient();
  const device = aRegistration(client, { at_ms: START_MS });
  const next = { ...device, generation: 2, device_id: `${device.device_id}-2` };
  const gone = (): number => expiryOf(stopOf(device).at_ms, HISTORY_MS, nowMs);

  it('[GEN-67] stays until it is stopped, and leaves 400 days after that with its owner', async () => {
    await states.devices.apply(placed([device, startOf(device)]));
    expect(['device', 'device-owner'].map(endOf)).toEqual([undefined, undefined]);
    await states.devices.apply(placed([stopOf(device)], 2));
    expect(['device', 'device-owner'].map(endOf)).toEqual([gone(), gone()]);
  });

  it('[GEN-67] does not leave by a stop that the log does not know', async () => {
    await states.devices.apply(placed([device]));
    expect(await states.devices.claimTransition(stopOf(device), 1, 'a')).toBe('taken');
    expect(endOf('device')).toBeUndefined();
  });

  it('[GEN-67] has a successor of the next generation also after it has left', async () => {
    await states.devices.apply(placed([device, startOf(device), stopOf(device)]));
    nowMs = gone();
    expect(await states.devices.load(client.client_id, device.device_id)).toBeUndefined();
    expect((await states.devices.loadEntity(client.client_id, device.entity_hash))?.generation)
      .toBe(1);
    expect(await states.devices.claimRegistration({ ...device, device_id: 'x' }, 'a')).toBe('moved');
    expect(await states.devices.claimRegistration(next, 'a')).toBe('taken');
    expect(await states.devices.confirm(next, 'a')).toBe(true);
  });
});
