import { expect } from 'vitest';
import { naiveVisits, type NaiveVisit } from '../../support/naive-visits.ts';
import { wholeTripsOf } from '../../support/whole-trips.ts';
import { PLANNED_PROVIDER, plannedVisits, ROUTE } from './planned.ts';
import { zonesOf } from './zones.ts';
import type { AnalystData } from './analyst-data.ts';
import { text, type Expectation } from './expectations.ts';

/** The buses of capmetrics drive in Austin. */
const AUSTIN = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Chicago', dateStyle: 'short', timeStyle: 'medium',
});
const localOf = (seconds: number): string => AUSTIN.format(seconds * 1_000);

/** What the queries about local time must say of the world, by name of the file. */
export function ofLocalTime(
  { tracks, startTs }: Pick<AnalystData, 'tracks' | 'startTs'>,
): Readonly<Record<string, Expectation>> {
  const buses = tracks.filter(({ provider }) => provider === 'capmetrics');
  const parameters = {
    provider: 'capmetrics', from_day: text(startTs - 86_400).slice(0, 10),
    to_day: text(startTs + 2 * 86_400).slice(0, 10),
  };
  const secondsOf = (bus: (typeof buses)[number]): readonly number[] => [...new Set(
    bus.fixes.filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0)
      .map(({ timestamp }) => timestamp),
  )];
  return {
    ...ofZones(tracks, startTs), ...ofShipments(startTs), ...ofPlans(tracks, startTs),
    'local-days': {
      parameters,
      check(rows) {
        const expected = buses.flatMap((bus) => {
          const days = Map.groupBy(secondsOf(bus), (at) => localOf(at).slice(0, 10));
          return [...days].map(([day, at]) => [
            bus.device, day, text(Math.min(...at)), text(Math.max(...at)),
          ].join(' '));
        });
        expect(rows.map(({ device_id, local_day, first_ts, last_ts }) => (
          [device_id, local_day, first_ts, last_ts].join(' ')
        ))).toEqual(expected.toSorted());
        expect(new Set(rows.map(({ time_zone }) => time_zone))).toEqual(new Set(['America/Chicago']));
        const trips = buses.flatMap(({ days }) => days.flatMap((day) => day.trips));
        expect(rows.reduce((sum, row) => sum + Number(row['trips']), 0))
          .toBe(trips.filter(({ continues }) => !continues).length);
      },
    },
    'local-hours': {
      parameters,
      check(rows) {
        const hours = new Map<number, number>();
        for (const at of buses.flatMap(secondsOf)) {
          const hour = Number(localOf(at).slice(11, 13));
          hours.set(hour, (hours.get(hour) ?? 0) + 1);
        }
        expect(new Map(rows.map(({ local_hour, seconds }) => [local_hour, Number(seconds)])))
          .toEqual(hours);
      },
    },
  };
}

interface Stay extends NaiveVisit {
  readonly device: string;
}

function ofZones(
  tracks: AnalystData['tracks'], startTs: number,
): Readonly<Record<string, Expectation>> {
  const zones = zonesOf(tracks, startTs);
  const stays: readonly Stay[] = tracks.flatMap(({ device, fixes }) => (
    naiveVisits(fixes.map(({ timestamp, latitude, longitude }) => ({
      ts: timestamp, latitude: Math.round(latitude * 1e7) / 1e7,
      longitude: Math.round(longitude * 1e7) / 1e7,
    })).filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0), zones)
      .map((visit) => ({ ...visit, device }))
  ));
  const days = {
    from_day: text(startTs - 86_400).slice(0, 10), to_day: text(startTs + 3 * 86_400).slice(0, 10),
  };
  return {
    'visits-of-a-zone': {
      parameters: { zone: 'austin', since: text(startTs), until: text(startTs + 3 * 86_400) },
      check(rows) {
        expect(rows.map(({ device_id, enter_ts, leave_ts }) => [device_id, enter_ts, leave_ts]))
          .toEqual(stays.filter(({ zone_id }) => zone_id === 'austin')
            .toSorted((a, b) => a.enter - b.enter || (a.device < b.device ? -1 : 1))
            .map(({ device, enter, leave }) => [device, text(enter), text(leave)]));
        expect(rows.length).toBeGreaterThan(10);
      },
    },
    'dwell-by-zone': {
      parameters: days,
      check(rows) {
        const hours = (zone: string): number => rows
          .filter(({ zone_id }) => zone_id === zone).reduce((sum, row) => sum + Number(row['hours']), 0);
        for (const { zone_id } of zones) {
          const expected = stays.filter((stay) => stay.zone_id === zone_id)
            .reduce((sum, { enter, leave }) => sum + leave - enter, 0) / 3_600;
          expect(expected).toBeGreaterThan(0);
          expect(hours(zone_id)).toBeCloseTo(expected, 6);
        }
      },
    },
    'trips-between-zones': {
      parameters: days,
      check(rows) {
        // Of two zones the smaller one counts; the circles are.
        const zoneAt = (device: string, at: number): string => ['home', 'work', 'austin']
          .find((zone) => stays.some((stay) => stay.zone_id === zone && stay.device === device
            && stay.enter <= at && at <= stay.leave)) ?? '';
        const expected = new Map<string, number>();
        for (const { device, fixes, days: own } of tracks) {
          if (fixes.length === 0) continue;
          for (const { start, end } of wholeTripsOf(own)) {
            const pair = `${zoneAt(device, start)}>${zoneAt(device, end)}`;
            expected.set(pair, (expected.get(pair) ?? 0) + 1);
          }
        }
        const found = new Map<string, number>();
        for (const { origin_zone, destination_zone, trips } of rows) {
          const pair = `${String(origin_zone)}>${String(destination_zone)}`;
          found.set(pair, (found.get(pair) ?? 0) + Number(trips));
        }
        expect(found).toEqual(expected);
        expect(found.get('home>work')).toBe(1);
      },
    },
    'zones-on-a-day': {
      parameters: { from_day: text(startTs).slice(0, 10) },
      check(rows) {
        expect(rows.map(({ zone_id, version }) => [zone_id, version]))
          .toEqual([['austin', 1], ['home', 1], ['work', 1]]);
      },
    },
  };
}

/** Shipment S2 is carried under its id and under its number. */
function ofShipments(startTs: number): Readonly<Record<string, Expectation>> {
  return {
    'shipments-on-the-road': {
      parameters: { since: text(startTs) },
      check(rows) {
        expect(rows).toEqual([
          ['4711', 360], ['S2', 420],
        ].map(([, second]) => ({
          tracking_number: 'S2', status: 'in_transit', ts: text(startTs + Number(second)),
          latitude: Number(second) / 1_000, longitude: 2, provider: 'acme', external_id: 'eva',
        })));
      },
    },
    'way-of-a-shipment': {
      parameters: { number: 'S2', since: text(startTs), until: text(startTs + 900) },
      check(rows) {
        expect(rows.map(({ ts, latitude, external_id }) => [ts, latitude, external_id]))
          .toEqual([300, 360, 420].map((second) => [text(startTs + second), second / 1_000, 'eva']));
      },
    },
  };
}

function ofPlans(
  tracks: AnalystData['tracks'], startTs: number,
): Readonly<Record<string, Expectation>> {
  const visits = plannedVisits(tracks);
  const window = { since: text(startTs - 86_400), until: text(startTs + 3 * 86_400) };
  return {
    'stops-of-a-route': {
      parameters: { provider: PLANNED_PROVIDER, route: ROUTE },
      check(rows) {
        expect(rows).toEqual(visits.map(({ order, arrival, visit }) => ({
          stop_order: order, facility_id: `F${order}`, planned_arrival: text(arrival),
          arrived_at: visit === undefined ? null : text(visit.enter),
          minutes_late: visit === undefined ? null : (visit.enter - arrival) / 60,
          is_on_time: visit === undefined ? null : visit.enter - arrival <= 900,
          device_id: 'track_1',
        })));
      },
    },
    'on-time-by-provider': {
      parameters: window,
      check(rows) {
        expect(rows).toEqual([{
          provider: PLANNED_PROVIDER, planned: '3', reached: '2', on_time: '1',
          percent: expect.closeTo(100 / 3, 6), median_minutes_late: 27.5,
        }]);
      },
    },
    'planned-stops': {
      parameters: window,
      check(rows) {
        expect(rows.map(({ route_id, stop_order, planned_arrival }) => (
          [Number(route_id), stop_order, planned_arrival]
        ))).toEqual(visits.map(({ order, arrival }) => [ROUTE, order, text(arrival)])
          .toSorted((a, b) => (String(a[2]) < String(b[2]) ? -1 : 1)));
        expect(JSON.stringify(rows)).not.toContain('Secret');
      },
    },
  };
}
