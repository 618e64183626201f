import { describe, expect, it } from 'vitest';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import type { DeferredEventsBody, LocationFix } from '../../../schemas/generated/types.ts';
import type { Delivery } from '../../../services/provider/client/deliver.ts';
import { createRequests } from '../../../services/provider/client/requests.ts';
import { createDeferredAnswers } from '../../../services/provider/commands/deferred-answers.ts';
import { createLedger } from '../../../services/provider/ledger/ledger.ts';
import type { OutgoingRequest } from '../../../services/provider/ports.ts';
import { LIBRARY, readTracks } from '../../../services/provider/readers/library.ts';
import { summarize } from '../../../services/provider/replay/summarize.ts';
import { createTravels } from '../../../services/provider/replay/travels.ts';
import { createVirtualClock } from './virtual-clock.ts';

const START = 1_764_000_000;
const check = loadSchemas().checkOf('DeferredEventsBody');

/** Fixes second by second at these speeds, going north. */
function drive(speeds: readonly number[], limit?: number): LocationFix[] {
  return speeds.map((speed, at) => ({
    timestamp: START + at, country_id: 'MA', latitude: 33 + at / 1_000, longitude: -7,
    telemetry: {
      timestamp: START + at, speed,
      ...(limit === undefined ? {} : { others: [{ name: 'SpeedLimit', value: String(limit) }] }),
    },
  }));
}

const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString();

function env(fixes: readonly LocationFix[]) {
  const sent: OutgoingRequest[] = [];
  const clock = createVirtualClock(START * 1_000);
  const travels = createTravels({ lapsMaxPerTransport: 2, transportsMax: 2 });
  travels.remember(42, fixes);
  const ledger = createLedger('run', clock, () => {});
  const answers = createDeferredAnswers({ delayMs: 100, requestsMax: 10 }, {
    travels, clock, ledger, signal: new AbortController().signal,
    requests: createRequests({ provider: 'acme', country_id: 'BR' }),
    deliver: async (request) => {
      sent.push(request);
      return {
        outcome: 'accepted', tries: 1, mayHaveBeenTaken: false,
        reply: { kind: 'lost', reason: 'fake' },
      } satisfies Delivery;
    },
  });
  const bodies = () => sent.map(({ body }) => JSON.parse(String(body)) as DeferredEventsBody);
  const request = (id: string, from: number, to: number, transport = 42) => answers.request({
    command: 'process_telemetry_events', id,
    transport: { id: transport, license_plate: 'A', country_id: 'BR' },
    travel: { init_date: iso(from), end_date: iso(to) },
  });
  return { sent, bodies, request, answers, travels };
}

describe('deferred events of the reference provider', () => {
  it('[CMD-21] answers a request by endpoint 11 with its id, for the window that was asked',
    async () => {
      const { sent, bodies, request, answers } = env(drive([50, 30, 30, 30, 60, 60, 20]));
      request('aWQ=', START, START + 3);
      await answers.finished();
      expect(sent[0]!.path)
        .toBe('/shipping/rtt/georeceiver/acme/telemetry/events/deferred?country_id=BR');
      const [body] = bodies();
      expect(check(body)).toBeUndefined();
      expect(body).toMatchObject({ id: 'aWQ=', transport_id: 42 });
      expect(body!.events).toMatchObject([
        { name: 'harsh_braking', start_date: iso(START), end_date: iso(START + 1) },
      ]);
      expect(body!.route_distance).toBeCloseTo(0.333, 2);
    });

  it('[CMD-10] answers each request once, however often it comes', async () => {
    const { bodies, request, answers } = env(drive([50, 30]));
    for (let times = 0; times < 3; times += 1) request('aWQ=', START, START + 9);
    request('b3RoZXI=', START, START + 9);
    await answers.finished();
    expect(bodies().map(({ id }) => id)).toEqual(['aWQ=', 'b3RoZXI=']);
  });

  it('answers without events for a transport that did not drive then', async () => {
    const { bodies, request, answers } = env(drive([50, 30]));
    request('aWQ=', START - 100, START - 50);
    request('b3RoZXI=', START, START + 9, 77);
    await answers.finished();
    for (const body of bodies()) {
      expect(body).toMatchObject({ events: [], route_distance: 0 });
      expect(check(body)).toBeUndefined();
    }
  });

  it('finds speeding from the limit of the road', () => {
    const { events } = summarize(
      { id: 'aWQ=', transport_id: 42 }, drive([60, 66, 67, 60], 60), START * 1_000);
    expect(events).toMatchObject([
      { name: 'speeding_route', start_date: iso(START + 1), end_date: iso(START + 2) },
    ]);
  });

  it('summarizes a real drive within the limits of endpoint 11', async () => {
    const file = LIBRARY.find(({ path }) => path.includes('T1_03_29_2021'))!;
    const [track] = await readTracks(file);
    const body = summarize({ id: 'aWQ=', transport_id: 1 }, track!.fixes, START * 1_000);
    expect(check(body)).toBeUndefined();
    const names = new Set(body.events.map(({ name }) => name));
    expect([...names].sort()).toEqual(['harsh_acceleration', 'harsh_braking', 'speeding_route']);
    expect(body.route_distance).toBeGreaterThan(5);
  });

  it('remembers the last laps of the transports that were seen last', () => {
    const { travels } = env([]);
    const lap = (shift: number) => drive([1]).map((fix) => (
      { ...fix, timestamp: fix.timestamp + shift }
    ));
    for (const shift of [0, 100, 200]) travels.remember(1, lap(shift));
    expect(travels.between(1, START, START + 50)).toEqual([]);
    expect(travels.between(1, START + 100, START + 150)).toHaveLength(1);
    travels.remember(2, lap(0));
    travels.remember(3, lap(0));
    expect(travels.between(1, START, START + 300)).toEqual([]);
  });
});
