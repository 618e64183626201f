import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../services/adapters/redis/keys.ts';
import { shardOf } from '../../../services/kernel/shards.ts';
import type { ShipmentJourney } from '../../../services/kernel/shipments.ts';
import { packShipment } from '../../../services/state/pack-shipment.ts';
import { formsKey } from '../../../services/state/shipment-forms.ts';
import { memoryStates } from '../../support/memory-states.ts';
import { shipmentStatesSuite } from '../../support/shipment-states.suite.ts';

const LEASE_MS = 10_000;

describe('Shipments over entries in memory', () => {
  shipmentStatesSuite(async () => {
    let nowMs = 1_000;
    const states = memoryStates(() => nowMs, LEASE_MS);
    return {
      ...states,
      wipe: async () => states.wipe(),
      rebuilt: async () => states.markReady(),
      passLease: async () => { nowMs += LEASE_MS + 1; },
      close: async () => undefined,
    };
  });
});

describe('A finished shipment over entries in memory', () => {
  const START_MS = 1_764_000_000_000;
  const journey: ShipmentJourney = {
    carrier: 'c', contents: [], received_at_ms: START_MS,
    state: { code: 'C', carrier_code: 'X', final: true, occurred_at_ms: START_MS },
    last_notification: { topic_id: 't', partition: 0, offset: 1 },
  };
  const forms = formsKey(shardOf('RST1'));

  it('lies alone where the name of its form is that of another', async () => {
    const states = memoryStates(() => START_MS);
    const name = packShipment(sha256Hex, 'RST1', { journey }, START_MS)?.name ?? '';
    await states.store.commit([{ entries: [{ key: forms, version: 0, set: { [name]: 'other' } }] }], {
      requireReady: false,
    });
    await states.shipments.putJourneys(new Map([['RST1', journey]]));
    expect((await states.shipments.loadJourneys(['RST1'], true)).get('RST1')).toEqual(journey);
    expect(states.store.ofKind('finished-shipments')).toEqual([]);
    expect(states.store.ofKind('shipment')).toHaveLength(1);
  });

  it.each([['a long number', 'R'.repeat(65), 'X'], ['a long code', 'RST1', 'X'.repeat(200)]])(
    'lies alone with %s', async (_, number, carrier_code) => {
      const states = memoryStates(() => START_MS);
      const long = { ...journey, state: { ...journey.state!, carrier_code } };
      await states.shipments.putJourneys(new Map([[number, long]]));
      expect((await states.shipments.loadJourneys([number], true)).get(number)).toEqual(long);
      expect(states.store.ofKind('finished-shipments')).toEqual([]);
    },
  );

  it('is an outage where its form is gone, and never a shipment that is unknown', async () => {
    const states = memoryStates(() => START_MS);
    await states.shipments.putJourneys(new Map([['RST1', journey]]));
    const { version = 0 } = states.store.entry(forms) ?? {};
    await states.store.commit([{ entries: [{ key: forms, version, remove: true }] }], {
      requireReady: false,
    });
    await expect(states.shipments.find('RST1')).rejects.toMatchObject({ code: 'state_busy' });
  });
});
