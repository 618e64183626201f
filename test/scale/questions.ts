import type { ScaleFleet } from './fleet-sql.ts';

/** How long a question may take and what it may read, on two cores and a hundred million fixes. */
export interface Budget {
  readonly seconds: number;
  /** Rows read, in millions. */
  readonly megaRows: number;
}

/**
 * Values of the parameters of the cookbook: the last whole day, week and month of the fleet. Those
 * of one device, place, shipment and route are examples from its data.
 */
export function parametersOf(
  { firstDay, days }: ScaleFleet, examples: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const date = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
  const last = firstDay + days - 2;
  return {
    from_day: date(firstDay), to_day: date(last), since: `${date(last)} 00:00:00`,
    until: `${date(last + 1)} 00:00:00`, at: `${date(last)} 12:34:56`, provider: 'p1',
    south: '-24', north: '-23', west: '-47', east: '-46', meters: '500', seconds: '900',
    percent: '10', kilometers: '100', limit: '110', tolerance: '5', zone: 'customer-000',
    name: 'speed_limit', type: 'shipment', hours: '6', liters: '20', celsius: '110',
    time_zone: 'America/Sao_Paulo', status: 'delivery_failed', ...examples,
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
  'events-by-kind': QUICK, 'fleet-at-a-minute': QUICK, 'events-per-100-km': SECONDS, 'gaps-of-a-device': QUICK,
  'idling': SECONDS, 'ineffective-notifications': QUICK, 'ingest-balance': SECONDS,
  'journey-of-a-shipment': QUICK, 'local-days': SECONDS, 'local-hours': SECONDS, 'visits-of-a-zone': SECONDS, 'dwell-by-zone': SECONDS,
  'trips-between-zones': SECONDS, 'zones-on-a-day': QUICK, 'shipments-on-the-road': QUICK, 'planned-stops': QUICK,
  'stops-of-a-route': SECONDS, 'on-time-by-provider': SECONDS,
  'way-of-a-shipment': SECONDS,
  'last-fixes': QUICK, 'latency-classes': SECONDS,
  'provider-quality': SECONDS, 'self-reported-speeding': QUICK, 'shipment-duration': QUICK,
  'shipments-by-status': QUICK, 'silent-devices': QUICK, 'speeding-cells': SECONDS,
  'speeding-runs': QUICK, 'speeds-of-devices': SECONDS, 'started-without-location': QUICK,
  'suspicious-fixes': SECONDS, 'odd-fixes': { seconds: 1, megaRows: 10 }, 'odd-fixes-by-provider': SECONDS, 'traceable-now': QUICK, 'track-of-a-device': QUICK,
  'tracked-time-by-type': QUICK, 'trip-lengths': QUICK, 'longest-stops': QUICK, 'trips-across-midnight': SECONDS,
  'trips-of-a-device': QUICK, 'unfinished-commands': QUICK, 'utilization': QUICK,
  'authorized-and-never-notified': QUICK, 'changed-estimates': QUICK, 'command-outcomes': QUICK,
  'disputed-numbers': QUICK, 'driver-distance-by-day': QUICK, 'duplicates-by-provider': SECONDS,
  'events-by-hour': QUICK, 'failure-reasons': QUICK, 'fuel-jumps': SECONDS,
  'fuel-per-100-km': SECONDS, 'heat-map': SECONDS, 'hot-engines': SECONDS, 'impossible-times': QUICK,
  'late-deliveries': QUICK, 'lives-by-brand': QUICK, 'missing-fields': QUICK,
  'never-stopped-devices': QUICK, 'newest-fix-by-provider': QUICK, 'night-driving': SECONDS,
  'notification-delay': QUICK, 'open-dead-letters': QUICK, 'overdue-shipments': QUICK,
  'personal-data-access': QUICK, 'proofs-of-delivery': QUICK, 'shipment-costs': QUICK,
  'shipments-between-cities': QUICK, 'standing-shipments': QUICK, 'stopped-while-driving': QUICK,
  'time-in-status': QUICK, 'unanswered-requests': QUICK, 'unmapped-codes': QUICK,
  'unread-records': SECONDS,
  'who-was-in-a-box': QUICK,
};

/** Questions that may have no answer, and why; any other without one fails the gate. */
export const MAY_BE_EMPTY: Readonly<Record<string, string>> = {
  'odd-fixes': 'the devices of this fleet drive as vehicles do',
  'odd-fixes-by-provider': 'the devices of this fleet drive as vehicles do',
};

/** One question of the gate. */
export interface Question {
  readonly name: string;
  readonly sql: string;
  readonly budget: Budget | undefined;
}
