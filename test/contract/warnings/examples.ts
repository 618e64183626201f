import type { WarningCode } from '../../../services/kernel/warnings.ts';
import { changed } from '../errors/change-body.ts';
import { exampleCall } from '../../support/documented-answers.ts';

/** A body that is taken and warned of. */
export interface WarnedBody {
  readonly code: WarningCode;
  readonly to: string;
  /** The mistake in a few words. */
  readonly mistake: string;
  readonly at: string;
  /** Members that are other than in the good body, by JSON pointer, at a time in seconds. */
  readonly set: (now: number) => Readonly<Record<string, unknown>>;
  /** Members that are left out. */
  readonly drop?: readonly string[];
}

const FIXES = 5;
/** Ten seconds at 60 kilometers per hour, in degrees of latitude. */
const STEP = 166.7 / 111_195;

/** Positions of a truck in Brazil, sent now: nothing stands out. */
function locations(now: number): unknown {
  return {
    device_id: 'device-1', post_timestamp: now,
    locations: Array.from({ length: FIXES }, (_, at) => ({
      timestamp: now - 10 * (FIXES - at), country_id: 'BR',
      latitude: Number((-23.55 + at * STEP).toFixed(6)), longitude: -46.63, bearing: 0,
      telemetry: { timestamp: now - 10 * (FIXES - at), speed: 60 },
    })),
  };
}

const isoDate = (seconds: number): string => new Date(seconds * 1_000).toISOString();

function events(now: number): unknown {
  return {
    device_id: 'device-1', post_timestamp: now,
    events: [{ name: 'harsh_braking', start_date: isoDate(now - 9), end_date: isoDate(now - 5) }],
  };
}

function notification(now: number): unknown {
  return changed(exampleCall('push-notifications').body, {
    '/payload/date': isoDate(now - 60), '/code': '0114',
  }, []);
}

/** A body of an operation in which nothing stands out. */
export function goodBody(to: string, now: number): unknown {
  if (to === 'send-telemetry-events') return events(now);
  return to === 'push-notifications' ? notification(now) : locations(now);
}

const to = 'send-locations';
const first = '/locations/0';
const speeds = (kmh: number): Readonly<Record<string, unknown>> => Object.fromEntries(
  Array.from({ length: FIXES }, (_, at) => [`/locations/${at}/telemetry/speed`, kmh]),
);
const times = (newest: number): Readonly<Record<string, unknown>> => Object.fromEntries(
  Array.from({ length: FIXES }, (_, at) => [`/locations/${at}/timestamp`, newest - 10 * (FIXES - 1 - at)]),
);

/** At least one body for each code, in the order of the page. */
export const WARNED: readonly WarnedBody[] = [
  { code: 'swapped_coordinates', to, mistake: 'longitude first', at: `${first}/latitude`,
    set: () => ({ [`${first}/latitude`]: -46.63, [`${first}/longitude`]: -23.55 }) },
  { code: 'outside_country', to, mistake: 'a minus is lost', at: `${first}/latitude`,
    set: () => ({ [`${first}/latitude`]: 23.55 }) },
  { code: 'zero_position', to, mistake: '0,0 where there is no fix', at: `${first}/latitude`,
    set: () => ({ [`${first}/latitude`]: 0, [`${first}/longitude`]: 0 }) },
  { code: 'implausible_value', to, mistake: 'a bearing of 400', at: `${first}/bearing`,
    set: () => ({ [`${first}/bearing`]: 400 }) },
  { code: 'implausible_value', to, mistake: 'a battery of 101 percent', at: `${first}/telemetry/battery_level`,
    set: () => ({ [`${first}/telemetry/battery_level`]: 101 }) },
  { code: 'speed_unit', to, mistake: 'meters per second', at: `${first}/telemetry/speed`,
    set: () => speeds(16.7) },
  { code: 'speed_unit', to, mistake: 'converted twice', at: `${first}/telemetry/speed`,
    set: () => speeds(216) },
  { code: 'clock_hours_off', to, mistake: 'local time of São Paulo as UTC', at: '/post_timestamp',
    set: (now) => ({ '/post_timestamp': now - 10_800, ...times(now - 10_805) }) },
  { code: 'clock_hours_off', to: 'send-telemetry-events', mistake: 'Z behind a local time', at: '/events/0/end_date',
    set: (now) => ({
      '/events/0/start_date': isoDate(now + 3_590), '/events/0/end_date': isoDate(now + 3_595),
    }) },
  { code: 'future_time', to, mistake: 'a clock ten minutes fast', at: `/locations/${FIXES - 1}/timestamp`,
    set: (now) => ({ [`/locations/${FIXES - 1}/timestamp`]: now + 600 }) },
  { code: 'stale_time', to, mistake: 'positions of last week', at: `/locations/${FIXES - 1}/timestamp`,
    set: (now) => times(now - 604_000) },
  { code: 'reversed_times', to: 'send-telemetry-events', mistake: 'an end before the start', at: '/events/0/end_date',
    set: (now) => ({ '/events/0/end_date': isoDate(now - 30) }) },
  { code: 'misspelt_field', to, mistake: 'bearing with a typing error', at: `${first}/baering`, drop: [`${first}/bearing`],
    set: () => ({ [`${first}/baering`]: 12 }) },
  { code: 'misplaced_field', to, mistake: 'speed beside telemetry', at: `${first}/speed`,
    set: () => ({ [`${first}/speed`]: 60 }) },
  { code: 'misplaced_field', to, mistake: 'altitude inside telemetry', at: `${first}/telemetry/altitude`,
    set: () => ({ [`${first}/telemetry/altitude`]: 760 }) },
  { code: 'unknown_code', to: 'push-notifications', mistake: 'a code of one\'s own', at: '/code',
    set: () => ({ '/code': '9999' }) },
];
