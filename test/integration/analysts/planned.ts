import type { PlannedRoute } from '../../../schemas/generated/types.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { aCommand } from '../../support/command-facts.ts';
import { naiveVisits, type NaiveVisit } from '../../support/naive-visits.ts';
import { record } from '../clickhouse/history.ts';
import type { TestTrack } from './test-track.ts';

const CAR = 'track_1';
/** Whose device drives the route. */
export const PLANNED_PROVIDER = 'envirocar';
/** The route that is driven; the next one is cancelled. */
export const ROUTE = 7;
const DAY_S = 86_400;
const RADIUS_M = 250;

/** A stop as it is planned, and the visit of the car there, if there is one. */
export interface PlannedVisit {
  readonly order: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly arrival: number;
  readonly visit: NaiveVisit | undefined;
}

/** Two places where the car stays, reached early and an hour late, and one it never sees. */
export function plannedVisits(tracks: readonly TestTrack[]): readonly PlannedVisit[] {
  const fixes = (tracks.find(({ device }) => device === CAR)?.fixes ?? []).map((fix) => ({
    ts: fix.timestamp, latitude: Math.round(fix.latitude * 1e7) / 1e7,
    longitude: Math.round(fix.longitude * 1e7) / 1e7,
  }));
  const stays = fixes.filter((_, n) => n % 20 === 0).map(({ latitude, longitude }) => ({
    latitude, longitude,
    visit: naiveVisits(fixes, [{
      zone_id: 'stop', version: 1, state: 'active', from: 0,
      circle: { latitude, longitude, radius_m: RADIUS_M },
    }])[0],
  })).filter(({ visit }) => visit !== undefined);
  const [first, last] = [stays[0], stays.at(-1)];
  if (first?.visit === undefined || last?.visit === undefined) {
    throw new Error('the car never stays');
  }
  return [
    { order: 1, ...first, arrival: first.visit.enter + 300 },
    { order: 2, ...last, arrival: last.visit.enter - 3_600 },
    {
      order: 3, latitude: -33, longitude: -70, arrival: last.visit.enter + 7_200, visit: undefined,
    },
  ];
}

/** The commands that plan the route, again with the times that count, and one that is cancelled. */
export function plannedCommands(
  tracks: readonly TestTrack[], startTs: number,
): readonly LogRecord[] {
  const visits = plannedVisits(tracks);
  const issuedMs = (startTs - 2 * DAY_S) * 1_000;
  const command = (
    kind: 'check_planned_routes' | 'cancel_planned_routes', route: PlannedRoute, at: number,
  ): LogRecord => {
    const fact = aCommand('start_tracking', 1, {
      provider: PLANNED_PROVIDER, command_id: `plan-${at}`, command_key: `route:${route.route_id}`,
      at_ms: issuedMs + at * 1_000, body: { command: kind, planned_routes: [route] },
    });
    return record('provider.commands.v1', fact.command_key, fact, { receivedAtMs: fact.at_ms });
  };
  return [
    command('check_planned_routes', routeOf(ROUTE, visits, 0), 2),
    command('check_planned_routes', routeOf(ROUTE, visits, 1_800), 1),
    command('check_planned_routes', routeOf(ROUTE + 1, visits, 0), 3),
    command('cancel_planned_routes', routeOf(ROUTE + 1, visits, 0), 4),
  ];
}

function routeOf(
  route_id: number, visits: readonly PlannedVisit[], laterS: number,
): PlannedRoute {
  const at = (seconds: number): string => new Date((seconds + laterS) * 1_000).toISOString();
  const begin = at(visits[0]?.arrival ?? 0);
  return {
    route_id, rostering_id: 1, country_id: 'DE', carrier: { id: 5, name: 'Carrier' },
    estimated_start_date: begin, estimated_end_date: begin,
    estimated_start_monitoring_date: begin, estimated_end_monitoring_date: begin,
    vehicles: [{ is_tractor: true, type: 'van', license_plate: 'HB-AB 1234' }],
    stops: visits.map(({ order, latitude, longitude, arrival }) => ({
      order, estimated_time_arrival: at(arrival), estimated_time_departure: at(arrival + 600),
      facility: {
        id: `F${order}`, address: {
          country_name: 'x', state_name: 'x', neighborhood_name: 'x', street_name: 'Secret street',
          street_number: '1', zip_code: '1', geolocation: { latitude, longitude },
        },
      },
    })),
  };
}
