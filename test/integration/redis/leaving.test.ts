import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expiryOf, FINISHED_MS, HISTORY_MS } from '../../../services/kernel/lifetimes.ts';
import type { ShipmentAuthorized } from '../../../services/kernel/authorizations.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import {
  aClient, anOffer, aRegistration, logRecordId, placed, startOf, stopOf,
} from '../../support/state-facts.ts';

const HOUR_MS = 3_600_000;

let states: OpenedRedis;
beforeAll(async () => { states = await openRedisStates(); });
afterAll(() => states.close());

/** When the only key of a kind goes; undefined when it stays. */
async function endOf(kind: string): Promise<number | undefined> {
  const [name = '', ...others] = await states.raw.keys(`{s??}:${kind}:*`);
  expect(others).toEqual([]);
  const atMs = await states.raw.pexpiretime(name);
  return atMs < 0 ? undefined : atMs;
}

describe('What is over leaves Redis', () => {
  it('[GEN-67] a finished shipment by the time of its facts, its authorization before it', async () => {
    const at_ms = Date.now() - HOUR_MS;
    const fact = {
      type: 'ShipmentAuthorized', client_id: 'p', transport_order_id: 'o', shipment_id: 's',
      epoch: 1, tracking_number: 'RST1', at_ms,
    } as ShipmentAuthorized;
    await states.authorizations.apply([
      { event: fact, recordId: logRecordId(1) },
    ]);
    await states.shipmentIndex.add([{
      tracking_number: 'RST1', transport_order_id: 'o', shipment_id: 's', platform_client_id: 'p',
      epoch: 1, at_ms,
    }]);
    await states.shipments.putJourneys(new Map([['RST1', {
      carrier: 'c', contents: [], received_at_ms: at_ms + 1,
      state: { code: 'C', carrier_code: 'X', final: true, occurred_at_ms: 1 },
      last_notification: { topic_id: 't', partition: 0, offset: 1 },
    }]]));
    expect(await endOf('authorization')).toBe(expiryOf(at_ms + 1, FINISHED_MS, 0));
    expect(await endOf('shipment-orders')).toBe(expiryOf(at_ms + 1, FINISHED_MS, 0));
    expect(await states.raw.keys('{s??}:shipment:*')).toEqual([]);
    // Others may be packed into the same entry later, and none of them stays longer than that.
    expect(await endOf('finished-shipments')).toBeGreaterThan(expiryOf(at_ms + 1, HISTORY_MS, 0));
    const sets = await states.raw.keys('{s??}:shipment-numbers:*');
    expect(await Promise.all(sets.map((name) => states.raw.pexpiretime(name))))
      .toEqual(sets.map(() => expiryOf(at_ms + 1, FINISHED_MS, 0)));
    expect(sets).toHaveLength(2);
  });

  it('[GEN-67] a stopped device and its last position; its entity stays', async () => {
    const client = aClient();
    const device = aRegistration(client, { at_ms: Date.now() - HOUR_MS });
    await states.devices.apply(placed([device, startOf(device)]));
    expect(await endOf('device')).toBeUndefined();
    const { client_id, device_id } = device;
    await states.lastFixes.offer([anOffer({ client_id, device_id })]);
    expect(Math.abs((await endOf('last-fix') ?? 0) - Date.now() - HISTORY_MS)).toBeLessThan(HOUR_MS);
    await states.devices.apply(placed([stopOf(device)], 2));
    expect(await endOf('device')).toBe(expiryOf(stopOf(device).at_ms, HISTORY_MS, 0));
    expect(await endOf('device-owner')).toBe(expiryOf(stopOf(device).at_ms, HISTORY_MS, 0));
    expect(await endOf('entity')).toBeUndefined();
  });
});
