import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { aClient, aRegistration, startOf, stopOf } from '../../support/state-facts.ts';
import { post, record } from '../clickhouse/history.ts';
import { START_TS } from './tracks.ts';

const HOUR_S = 3_600;
const MINUTES = 60;
const PER_POST = 20;
const LATENCY_S = 4;
/** Hours after the start at which each van begins to work. */
const BEGINS_H = [1, 6, 21, 23, 8, 47] as const;
/** The van that was stopped while it drove. */
const STOPPED_DRIVING = 4;

/** What a van reports in one minute. */
export interface VanReading {
  readonly at_s: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed: number;
  readonly odometer: number;
  readonly fuel_quantity?: number;
  readonly engine_temperature: number;
}

/** A van of the test: an hour of work, and how long it was tracked. */
export interface Van {
  readonly device: string;
  readonly provider: string;
  readonly brand: string;
  readonly readings: readonly VanReading[];
  readonly started_s: number;
  readonly stopped_s?: number;
}

/** An event that a van reported. */
interface VanEvent {
  readonly device: string;
  readonly name: string;
  readonly at_s: number;
}

/** All vans: 1 is refuelled, 2 loses fuel at a standstill, 3 runs hot and falls silent. */
export const VANS: readonly Van[] = BEGINS_H.map((_, van) => vanOf(van));

/** What the vans reported beside their readings. */
export const VAN_EVENTS: readonly VanEvent[] = [
  [0, 'harsh_braking', 100], [0, 'harsh_braking', 700], [1, 'harsh_acceleration', 300],
  [2, 'harsh_braking', 200], [3, 'speeding_route', 500], [4, 'harsh_braking', 900],
].map(([van = 0, name = '', second = 0]) => ({
  device: `van-${van}`, name: String(name),
  at_s: START_TS + (BEGINS_H[Number(van)] ?? 0) * HOUR_S + Number(second),
}));

function vanOf(van: number): Van {
  const begin = START_TS + (BEGINS_H[van] ?? 0) * HOUR_S;
  const drivingMinutes = van === STOPPED_DRIVING ? MINUTES : 40;
  const readings = Array.from({ length: MINUTES }, (_, minute): VanReading => {
    const moved = Math.min(minute, drivingMinutes);
    const jump = (van === 1 && minute >= 45 ? 30 : 0) - (van === 2 && minute >= 50 ? 25 : 0);
    const isHot = van === 3 && minute >= 20 && minute < 35;
    return {
      at_s: begin + minute * 60, latitude: -23 - van / 10 + moved * 0.009, longitude: -46,
      speed: minute < drivingMinutes ? 60 : 0, odometer: 1_000 * (van + 1) + moved,
      engine_temperature: isHot ? 112 + minute % 3 : 90 + minute % 4 / 2,
      ...(van === 0 && minute % 7 === 3
        ? {} : { fuel_quantity: 80 - Math.floor(moved / 5) * (1 + van % 3) / 2 + jump }),
    };
  });
  const last_s = begin + (MINUTES - 1) * 60;
  const stop = van === STOPPED_DRIVING || van === 0 ? 40 : 600;
  return {
    device: `van-${van}`, provider: van % 2 === 0 ? 'north' : 'south', readings,
    brand: ['Acme', 'Best'][van % 2] ?? '', started_s: begin - 60,
    ...(van === 3 || van === 5 ? {} : { stopped_s: last_s + stop }),
  };
}

/** The readings as posts; the first post of the first van comes twice. */
export function vanPosts(): readonly LogRecord[] {
  const posts = VANS.flatMap(({ device, provider, readings }) => (
    Array.from({ length: MINUTES / PER_POST }, (_, n) => {
      const part = readings.slice(n * PER_POST, (n + 1) * PER_POST);
      return post(part.map(sent), {
        device, headers: { provider }, receivedAtMs: ((part.at(-1)?.at_s ?? 0) + LATENCY_S) * 1_000,
      });
    })
  ));
  const [again] = posts;
  return again === undefined ? posts : [...posts, { ...again }];
}

function sent({ at_s, latitude, longitude, ...telemetry }: VanReading): object {
  return {
    timestamp: at_s, country_id: 'BR', latitude, longitude,
    telemetry: { timestamp: at_s, ignition: true, ...telemetry },
  };
}

/** Registrations, starts and stops of the vans. */
export function vanLives(): readonly LogRecord[] {
  const client = aClient({ client_id: '100000000000001' });
  return VANS.flatMap(({ device, brand, started_s, stopped_s }) => {
    const registered = aRegistration(client, {
      device_id: device, entity_type: 'van', at_ms: started_s * 1_000 - 1_000,
      device_specs: { device_type: 'OBD', brand },
    });
    return [
      registered, startOf(registered, started_s * 1_000),
      ...(stopped_s === undefined ? [] : [stopOf(registered, stopped_s * 1_000)]),
    ];
  }).map((fact) => (
    record('rtt.device-lifecycle.v1', fact.device_id, fact, { receivedAtMs: fact.at_ms })
  ));
}

/** The events of the vans as the log has them. */
export function vanEvents(): readonly LogRecord[] {
  return VAN_EVENTS.map(({ device, name, at_s }) => record('rtt.telemetry-events.v1', device, {
    post_timestamp: at_s + 5,
    events: [{
      name, start_date: new Date(at_s * 1_000).toISOString(),
      end_date: new Date((at_s + 2) * 1_000).toISOString(),
    }],
  }, { receivedAtMs: (at_s + 6) * 1_000, headers: { provider: 'north' } }));
}
