import { expect } from 'vitest';
import type { AnalystData } from './analyst-data.ts';
import { text, type Expectation } from './expectations.ts';

/** The buses of capmetrics drive in Austin. */
const AUSTIN = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Chicago', dateStyle: 'short', timeStyle: 'medium',
});
const localOf = (seconds: number): string => AUSTIN.format(seconds * 1_000);

/** What the queries about local time must say of the world, by name of the file. */
export function ofPlaces(
  { tracks, startTs }: AnalystData,
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
