import { expect } from 'vitest';
import type { LocationFix } from '../../../schemas/generated/types.ts';
import { LIBRARY, readTracks } from '../../../services/provider/readers/library.ts';
import { aCancellation, anAuthorization } from '../../support/authorization-facts.ts';
import { recordJourneys, received } from '../../support/journeys.ts';
import { naiveDays } from '../../support/naive-days.ts';
import type { NaiveFix } from '../../support/naive-fix.ts';
import {
  createHistory, post, record, writePosts, type History,
} from '../clickhouse/history.ts';
import { journeyRecord, writeLines } from '../clickhouse/shipments.ts';
import { commands, lifecycles } from './fleet.ts';
import { plannedCommands } from './planned.ts';
import { zoneRecords, zonesOf } from './zones.ts';
import {
  refreshBatteries, refreshDays, refreshProviderHours, refreshVisits, refreshZones, START_TS,
} from './tracks.ts';
import type { TestTrack } from './test-track.ts';

const DAY_S = 86_400;
const POST_FIXES = 100;
const LATENCY_S = 3;
/** Vehicles that are taken of a file with many. */
const VEHICLES_MAX = 40;
const FILES = [
  'rsk-twizy/T3_05_25_2021_04.csv.gz', 'envirocar/track_1.json.gz',
  'barefoot-munich/x0001-001.json.gz', 'barefoot-munich/x0001-015.json',
  'capmetrics/2015-03-18.csv.gz',
];

/** Real tracks in a database of their own, with a few events, deliveries and shipments. */
export interface AnalystData {
  readonly history: History;
  readonly tracks: readonly TestTrack[];
  /** Midnight UTC of the day on which every track begins, epoch seconds. */
  readonly startTs: number;
}

/** Writes everything as the table writer does and has the days computed. */
export async function createAnalystData(): Promise<AnalystData> {
  const history = await createHistory();
  const startTs = START_TS;
  const tracks = await readTestTracks(startTs);
  const posts = tracks.flatMap(({ device, provider, fixes }) => (
    Array.from({ length: Math.ceil(fixes.length / POST_FIXES) }, (_, n) => {
      const part = fixes.slice(n * POST_FIXES, (n + 1) * POST_FIXES);
      return post(part, {
        device, headers: { provider },
        receivedAtMs: (Math.max(...part.map(({ timestamp }) => timestamp)) + LATENCY_S) * 1_000,
      });
    })
  ));
  const write = async (records: Parameters<typeof writePosts>[1]): Promise<void> => {
    expect(await writePosts(history.ingest, records)).toEqual([]);
  };
  await write([
    ...posts, ...probePosts(startTs), ...eventsOf(startTs), ...deliveriesOf(startTs),
    ...authorizations(), ...zoneRecords(zonesOf(tracks, startTs)),
    ...lifecycles(tracks, startTs), ...commands(startTs), ...plannedCommands(tracks, startTs),
  ]);
  const journeys = ['S1', 'S2'].flatMap((tracking_number, n) => recordJourneys([
    received(10 * n + 1, 'EX-HUB', 0, { tracking_number }),
    received(10 * n + 2, 'EX-HUB', 0, { tracking_number }),
    ...(n === 0 ? [received(3, 'EX-DELIVERED', 120, { tracking_number })] : []),
  ]).events);
  await writeLines(
    history.ingest, 'in_journeys', journeys.map((event, n) => journeyRecord(event, n + 1)),
  );
  await refreshDays(history.admin);
  await refreshZones(history.admin);
  await refreshVisits(history.admin);
  await refreshBatteries(history.admin);
  await refreshProviderHours(history.admin);
  return { history, tracks, startTs };
}

async function readTestTracks(startTs: number): Promise<readonly TestTrack[]> {
  const files = LIBRARY.filter(({ path }) => FILES.includes(path));
  expect(files).toHaveLength(FILES.length);
  const tracks: TestTrack[] = [];
  for (const file of files) {
    const read = (await readTracks(file)).slice(0, VEHICLES_MAX);
    const firstTs = Math.min(...read.flatMap(({ fixes }) => fixes.map((fix) => fix.timestamp)));
    const shiftS = startTs - Math.floor(firstTs / DAY_S) * DAY_S;
    for (const { source, vehicle, fixes } of read) {
      const moved = fixes.map((fix) => shifted(fix, shiftS));
      tracks.push({
        device: vehicle, provider: source, fixes: moved, days: naiveDays(moved.map(naive)),
      });
    }
  }
  return tracks;
}

function shifted({ telemetry, ...fix }: LocationFix, shiftS: number): LocationFix {
  return {
    ...fix, timestamp: fix.timestamp + shiftS,
    ...(telemetry === undefined
      ? {} : { telemetry: { ...telemetry, timestamp: telemetry.timestamp + shiftS } }),
  };
}

/** Fixes as the tables hold them, to 1e-7 degrees. */
function naive({ timestamp, latitude, longitude, telemetry }: LocationFix): NaiveFix {
  return {
    ts: timestamp, latitude: Math.round(latitude * 1e7) / 1e7,
    longitude: Math.round(longitude * 1e7) / 1e7, speed: telemetry?.speed,
  };
}

/**
 * One device that repeats, mixes and pauses, and one whose clock is 90 s behind and whose odometer
 * runs at a standstill; each newest fix comes 5 s late, each post takes 1 s.
 */
function probePosts(startTs: number) {
  const send = (device: string, at: readonly number[], behindS: number) => {
    const newest = startTs + Math.max(...at);
    return post(at.map((second) => ({
      timestamp: startTs + second, country_id: 'BR', latitude: 1, longitude: 1,
      ...(device === 'probe-2'
        ? { telemetry: { timestamp: startTs + second, odometer: 100 + second / 10 } } : {}),
    })), {
      device, headers: { provider: 'probe' }, receivedAtMs: (newest + 5) * 1_000,
      postTimestamp: newest + 4 - behindS,
    });
  };
  return [
    send('probe-1', [0, 10], 0), send('probe-1', [5, 10, 12], 0), send('probe-1', [2_000], 0),
    send('probe-2', [0], 90), send('probe-2', [100], 90),
  ];
}

function eventsOf(startTs: number) {
  const at = (second: number): string => new Date((startTs + second) * 1_000).toISOString();
  const event = (name: string, second: number) => (
    { name, start_date: at(second), end_date: at(second + 4) }
  );
  return [record('rtt.telemetry-events.v1', 'track_1', {
    post_timestamp: startTs + DAY_S / 2,
    events: [
      event('harsh_braking', 60_000), event('harsh_braking', 60_100), event('speeding_route', 60_200),
    ],
  }, { receivedAtMs: (startTs + 60_300) * 1_000, headers: { provider: 'envirocar', n: '3' } })];
}

function deliveriesOf(startTs: number) {
  const deliver = (driver: string, seconds: readonly number[], id = 'P1') => record(
    'delivery.locations.v1', `acme|driver|${driver}`, {
      post_timestamp: startTs + 900, device: { external_id: driver, external_type: 'driver' },
      traceables: [{ id, type: 'shipment' }],
      locations: seconds.map((second) => (
        { timestamp: startTs + second, latitude: second / 1_000, longitude: 2 }
      )),
    }, { receivedAtMs: (startTs + 1_000) * 1_000, headers: { n: String(seconds.length) } },
  );
  return [
    deliver('ana', [0, 60]), deliver('rui', [120, 180, 240]), deliver('eva', [300, 360], '4711'),
    deliver('eva', [420], 'S2'),
  ];
}

function authorizations() {
  return [
    anAuthorization('order-1'), anAuthorization('order-2'), 
    anAuthorization('order-3', 1, { shipment_id: '4711', tracking_number: 'S2' }),
    aCancellation('order-2'),
  ].map((fact) => record('shipment.authorizations.v1', fact.transport_order_id, fact));
}
