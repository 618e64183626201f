import { describe, expect, it } from 'vitest';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { createRequests } from '../../../services/provider/client/requests.ts';
import type { Delivery } from '../../../services/provider/client/deliver.ts';
import { createLedger } from '../../../services/provider/ledger/ledger.ts';
import type { OutgoingRequest } from '../../../services/provider/ports.ts';
import { readTracks } from '../../../services/provider/readers/library.ts';
import { readRskTwizy } from '../../../services/provider/readers/rsk-twizy.ts';
import { createCompanions } from '../../../services/provider/replay/companions.ts';
import { deliveryBody, driverOf, traceablesOf } from '../../../services/provider/replay/deliveries.ts';
import { deriveEvents } from '../../../services/provider/replay/events.ts';
import type { LocationFix } from '../../../schemas/generated/types.ts';

const NOW_MS = 1_764_000_000_000;
const START = 1_763_999_000;

/** One fix each second with these speeds in km/h, on a road with this limit. */
function drive(speeds: readonly (number | undefined)[], limit = 50): LocationFix[] {
  return speeds.map((speed, at) => ({
    timestamp: START + at, country_id: 'MA', latitude: 34 + at / 1_000, longitude: -6.8,
    telemetry: {
      timestamp: START + at, ...(speed === undefined ? {} : { speed }),
      others: [{ name: 'SpeedLimit', value: String(limit) }],
    },
  }));
}
const found = (fixes: LocationFix[]) => deriveEvents(fixes)
  .map(({ row, event }) => `${event.name} ${row} ${event.start_date.slice(17, 19)}`
    + `-${event.end_date.slice(17, 19)} ${String(event.distance)}`);

describe('events of a drive', () => {
  it('are harsh from 3.0 m/s² down and 2.5 m/s² up within one second, both ends included', () => {
    expect(found(drive([30, 19.2, 19.2, 28.2]))).toEqual([
      'harsh_braking 1 20-21 6.8', 'harsh_acceleration 3 22-23 6.6',
    ]);
    expect(found(drive([30, 19.21, 19.21, 28.2]))).toEqual([]);
  });

  it('are one for each run above the limit by more than 5 km/h', () => {
    expect(found(drive([50, 55, 56, 58, 55, 56, 56]))).toEqual([
      'speeding_route 4 22-23 31.7', 'speeding_route 6 25-26 31.1',
    ]);
  });

  it('need neighbours in time, and a speed', () => {
    const gap = drive([60, 30]).map((fix, at) => ({ ...fix, timestamp: START + at * 2 }));
    expect(found(gap)).toEqual(['speeding_route 1 20-20 16.7']);
    expect(found(drive([30, undefined, 10]))).toEqual([]);
  });

  it.each(['T1_03_29_2021', 'T2_03_30_2021', 'T3_05_25_2021_04'])(
    'are as many in %s as its description says', async (name) => {
      const path = `rsk-twizy/${name}.csv.gz`;
      const [track] = await readTracks({ path, read: readRskTwizy });
      const counts = new Map<string, number>();
      for (const { event } of deriveEvents(track?.fixes ?? [])) {
        counts.set(event.name, (counts.get(event.name) ?? 0) + 1);
      }
      const within = (least: number, most: number) => (count: number | undefined) =>
        count !== undefined && count >= least && count <= most;
      expect(counts.get('harsh_braking')).toSatisfy(within(2, 70));
      expect(counts.get('harsh_acceleration')).toSatisfy(within(2, 103));
      expect(counts.get('speeding_route')).toSatisfy(within(1, 7));
    },
  );
});

describe('what goes along with locations', () => {
  function setUp(outcome: Delivery['outcome'] = 'accepted') {
    const sent: { path: string; body: Record<string, unknown> }[] = [];
    const requests = createRequests({ provider: 'acme', country_id: 'MA' });
    const clock = { nowMs: () => NOW_MS, wait: async () => {} };
    const ledger = createLedger('run', clock, () => {});
    const companions = createCompanions({ provider: 'acme', run: 'run', cargoEvery: 5 }, {
      requests, ledger, clock,
      deliver: async (request: OutgoingRequest) => {
        const body = JSON.parse(Buffer.from(request.body ?? []).toString()) as object;
        sent.push({ path: request.path, body: { ...body } });
        return {
          outcome, tries: 1, mayHaveBeenTaken: false, reply: { kind: 'lost', reason: 'test' },
        };
      },
    });
    return { sent, companions, ledger };
  }
  const { signal } = new AbortController();

  it('[EVT-01] sends events with the fixes at which they are over, each once', async () => {
    const { sent, companions, ledger } = setUp();
    const fixes = drive([30, 10, 10, 30]);
    const accompany = companions.beginLap('d1', { entity_id: 'e', transport_id: 1 }, fixes);
    await accompany(0, 1, signal);
    expect(sent).toEqual([]);
    await accompany(1, 3, signal);
    await accompany(3, 4, signal);
    expect(sent.map(({ path }) => path)).toEqual(
      Array(2).fill('/shipping/rtt/georeceiver/acme/telemetry/events?country_id=MA'),
    );
    expect(sent.map(({ body }) => body)).toMatchObject([
      { device_id: 'd1', events: [{ name: 'harsh_braking', external_id: 'run-1' }] },
      { device_id: 'd1', events: [{ name: 'harsh_acceleration', external_id: 'run-2' }] },
    ]);
    const check = loadSchemas().checkOf('TelemetryEventsBody');
    for (const { body } of sent) expect(check(body)).toBeUndefined();
    expect(ledger.countsOfOthers()).toEqual({ events_accepted: 2 });
  });

  it('[DLV-01] sends the fixes of some devices as deliveries', async () => {
    const { sent, companions, ledger } = setUp('refused');
    const fixes = drive([30, 30, 30]);
    await companions.beginLap('d1', { entity_id: 'e', transport_id: 10 }, fixes)(1, 3, signal);
    await companions.beginLap('d2', { entity_id: 'f', transport_id: 11 }, fixes)(1, 3, signal);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.path).toBe('/shipping/rtt/georeceiver/proximity/acme/locations?country_id=MA');
    expect(ledger.countsOfOthers()).toEqual({ deliveries_refused: 4 });
  });

  it.each([10, 15])('[DLV-11] writes a body that follows the schema for transport %i', (id) => {
    const cargo = { entity_id: 'e', transport_id: id };
    const traceables = traceablesOf({ run: 'run', cargoEvery: 5 }, cargo);
    const body = deliveryBody(driverOf('acme', cargo), traceables, cargo, drive([1, 2]), NOW_MS);
    expect(loadSchemas().checkOf('DeliveryLocationsBody')(body)).toBeUndefined();
    expect(traceables.map((each) => each.id)).toEqual(id === 10 ? ['run-3', 'run-4'] : ['run-5', 'run-6']);
    expect('device' in body).toBe(id % 2 === 0);
    expect(body.locations[0]).not.toHaveProperty('telemetry');
    expect(body.locations[0]).not.toHaveProperty('country_id');
  });
});
