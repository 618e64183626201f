import { deviceOf, type ScaleFleet } from './fleet-sql.ts';

/** How long a question may take and what it may read, on two cores and a hundred million fixes. */
export interface Budget {
  readonly seconds: number;
  /** Rows read, in millions. */
  readonly megaRows: number;
}

/** Values of the parameters of the cookbook: the last whole day, week and month of the fleet. */
export function parametersOf(
  { firstDay, days, devices }: ScaleFleet,
): Readonly<Record<string, string>> {
  const date = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
  const last = firstDay + days - 2;
  return {
    from_day: date(firstDay), to_day: date(last), since: `${date(last)} 00:00:00`,
    until: `${date(last + 1)} 00:00:00`, provider: 'p1', device: deviceOf(Math.floor(devices / 2)),
    south: '-24', north: '-23', west: '-47', east: '-46', latitude: '-23.5', longitude: '-46.6',
    meters: '500', seconds: '900', percent: '10', kilometers: '100', limit: '110', tolerance: '5',
    name: 'speeding', id: 'S1', type: 'shipment', number: 'T1',
  };
}

const SECONDS: Budget = { seconds: 3, megaRows: 110 };
const QUICK: Budget = { seconds: 0.5, megaRows: 10 };

/** The budget of each file of the cookbook; a file that has none fails the gate. */
export const COOKBOOK_BUDGETS: Readonly<Record<string, Budget>> = {
  'active-devices-by-hour': SECONDS, 'battery-use': SECONDS, 'cancelled-authorizations': QUICK,
  'command-latency': QUICK, 'device-clock-errors': SECONDS, 'devices-by-minute': SECONDS,
  'devices-in-a-box': QUICK, 'devices-near-a-point': SECONDS, 'distance-by-day': QUICK,
  'distance-by-device': QUICK, 'distance-versus-odometer': QUICK, 'drivers-of-a-traceable': QUICK,
  'events-by-kind': QUICK, 'events-per-100-km': SECONDS, 'gaps-of-a-device': QUICK,
  'idling': SECONDS, 'ineffective-notifications': QUICK, 'ingest-balance': SECONDS,
  'journey-of-a-shipment': QUICK, 'last-fixes': QUICK, 'latency-classes': SECONDS,
  'longest-stops': SECONDS,
  'provider-quality': SECONDS, 'self-reported-speeding': QUICK, 'shipment-duration': QUICK,
  'shipments-by-status': QUICK, 'silent-devices': QUICK, 'speeding-cells': SECONDS,
  'speeding-runs': QUICK, 'speeds-of-devices': SECONDS, 'started-without-location': QUICK,
  'suspicious-fixes': SECONDS, 'traceable-now': QUICK, 'track-of-a-device': QUICK,
  'tracked-time-by-type': QUICK, 'trip-lengths': QUICK, 'trips-across-midnight': SECONDS,
  'trips-of-a-device': QUICK, 'unfinished-commands': QUICK, 'utilization': QUICK,
};

/** One question of the gate. */
export interface Question {
  readonly name: string;
  readonly sql: string;
  readonly budget: Budget | undefined;
}

const MONTH = 'ts >= {month:DateTime(\'UTC\')} AND ts < {until:DateTime(\'UTC\')}';
const DAY = 'ts >= {since:DateTime(\'UTC\')} AND ts < {until:DateTime(\'UTC\')}';
const BOX = 'latitude BETWEEN -23.55 AND -23.45 AND longitude BETWEEN -46.65 AND -46.55';

/** What fleet analysts ask that no file of the cookbook asks. */
export const MORE_QUESTIONS: readonly Question[] = [
  {
    name: 'box of five minutes', budget: { seconds: 0.05, megaRows: 5 },
    sql: `SELECT uniqExact(device_id) FROM v_locations WHERE ${BOX}
          AND ts >= {noon:DateTime('UTC')} AND ts < {noon:DateTime('UTC')} + 300`,
  },
  {
    name: 'box of a month', budget: { seconds: 2, megaRows: 110 },
    sql: `SELECT uniqExact(device_id) FROM v_locations WHERE ${BOX} AND ${MONTH}`,
  },
  {
    name: 'heat map of a day', budget: { seconds: 1, megaRows: 10 },
    sql: `SELECT geoToH3(latitude, longitude, 8) AS cell, count() FROM v_locations
          WHERE ${DAY} GROUP BY cell ORDER BY count() DESC LIMIT 1000`,
  },
  {
    name: 'fixes by provider and day, a month', budget: SECONDS,
    sql: `SELECT provider, toDate(ts) AS day, count() FROM v_locations WHERE ${MONTH}
          GROUP BY provider, day ORDER BY provider, day`,
  },
  {
    name: 'balance of an hour', budget: { seconds: 1, megaRows: 10 },
    sql: `SELECT provider, sum(unexplained) FROM v_ingest_balance(
          since = {noon:DateTime64(3, 'UTC')}, until = {one:DateTime64(3, 'UTC')})
          GROUP BY provider`,
  },
  {
    name: 'balance of a month', budget: { seconds: 3, megaRows: 110 },
    sql: `SELECT provider, sum(unexplained) FROM v_ingest_balance(
          since = {month:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')})
          GROUP BY provider`,
  },
];
