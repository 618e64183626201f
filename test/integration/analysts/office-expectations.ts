import { expect } from 'vitest';
import { metersBetween } from '../../support/meters-between.ts';
import { text, type Expectation } from './expectations.ts';
import { UNREAD } from './office-data.ts';
import { AUDITS, COMMANDS, DEAD_LETTERS, DRIVER_FIXES, WRONG_TIMES } from './office-facts.ts';
import { greatest, median, near, tally } from './reckoning.ts';
import { START_TS } from './tracks.ts';
import { VAN_EVENTS, VANS, type VanReading, type Van } from './vans.ts';

const UNTIL_S = START_TS + 2 * 86_400;
const HOURS = 6;
const LIMIT_KMH = 20;
const STOP_S = 120;
const LITERS = 20;
const CELSIUS = 110;
/** Hours of São Paulo behind UTC, the whole year. */
const BEHIND_H = 3;
const time_zone = 'America/Sao_Paulo';
const window = { since: text(START_TS - 86_400), until: text(UNTIL_S) };
const millis = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
const newest = ({ readings }: Van): VanReading => readings.at(-1) as VanReading;
const hourOf = (at_s: number): number => Math.floor(at_s / 3_600 - BEHIND_H) % 24;
const fuelled = ({ readings }: Van) => readings.flatMap((reading) => (
  reading.fuel_quantity === undefined ? [] : [{ ...reading, fuel: reading.fuel_quantity }]
));

/** What the queries about vans, commands and the log must say of what the test wrote. */
export const OF_THE_OFFICE: Readonly<Record<string, Expectation>> = {
  'newest-fix-by-provider': {
    parameters: { until: text(UNTIL_S) },
    check: (rows) => {
      const fleets = Map.groupBy(VANS, ({ provider }) => provider);
      expect(new Map(rows.map(({ provider, age_s, devices, silent_devices }) => (
        [provider, [age_s, devices, silent_devices].map(Number)]
      )))).toEqual(new Map([...fleets].map(([provider, vans]) => {
        const ages = vans.map((van) => UNTIL_S - newest(van).at_s);
        return [provider, [
          -greatest(ages.map((age) => -age)), vans.length, ages.filter((age) => age > 3_600).length,
        ]];
      })));
      expect(rows).toHaveLength(2);
    },
  },
  'never-stopped-devices': {
    parameters: { hours: HOURS, ...window },
    check: (rows) => {
      expect(rows.map(({ device_id, last_ts }) => [device_id, last_ts])).toEqual(
        VANS.filter((van) => (
          van.stopped_s === undefined && newest(van).at_s < UNTIL_S - HOURS * 3_600
        )).map((van) => [van.device, text(newest(van).at_s)]),
      );
      expect(rows).toHaveLength(1);
    },
  },
  'stopped-while-driving': {
    parameters: { limit: LIMIT_KMH, seconds: STOP_S, ...window },
    check: (rows) => {
      expect(rows.map(({ device_id, last_speed }) => [device_id, last_speed])).toEqual(
        VANS.filter((van) => (
          van.stopped_s !== undefined && newest(van).speed > LIMIT_KMH
          && van.stopped_s <= newest(van).at_s + STOP_S
        )).map((van) => [van.device, newest(van).speed]),
      );
      expect(rows).toHaveLength(1);
    },
  },
  'command-outcomes': {
    parameters: window,
    check: (rows) => {
      const kinds = COMMANDS.map(({ issued }) => `${issued.provider} ${issued.body.command}`);
      expect(new Map(rows.map(({ provider, command, state, status, commands, percent }) => {
        const kind = `${String(provider)} ${String(command)}`;
        near(percent, 100 * Number(commands) / (tally(kinds).get(kind) ?? 0));
        return [`${kind} ${String(state)} ${String(status)}`, Number(commands)];
      }))).toEqual(tally(COMMANDS.map(({ result }, n) => (
        `${kinds[n] ?? ''} ${result?.outcome ?? 'queued'} ${String(result?.status ?? null)}`
      ))));
    },
  },
  'unanswered-requests': {
    parameters: window,
    check: (rows) => {
      expect(rows.map(({ command_id }) => command_id)).toEqual(
        COMMANDS.filter(({ issued, isAnswered }) => (
          issued.body.command === 'process_telemetry_events' && !isAnswered
        )).map(({ issued }) => issued.command_id),
      );
      expect(rows).toMatchObject([{ state: 'done' }, { state: 'refused' }, { state: 'queued' }]);
    },
  },
  'driver-distance-by-day': {
    parameters: window,
    check: (rows) => {
      const days = Map.groupBy(DRIVER_FIXES, ({ driver, at_s }) => (
        `${text(at_s).slice(0, 10)} ${driver}`
      ));
      expect(rows.map(({ day, external_id }) => `${String(day)} ${String(external_id)}`))
        .toEqual([...days.keys()].toSorted());
      for (const { day, external_id, fixes, kilometers } of rows) {
        const own = days.get(`${String(day)} ${String(external_id)}`) ?? [];
        expect(fixes).toBe(String(own.length));
        near(kilometers, own.slice(1).reduce((sum, fix, n) => (
          sum + metersBetween(own[n] ?? fix, fix)
        ), 0) / 1_000);
      }
    },
  },
  'fuel-per-100-km': {
    parameters: { liters: LITERS, ...window },
    check: (rows) => {
      for (const van of VANS) {
        const row = rows.find(({ device_id }) => device_id === van.device);
        const readings = fuelled(van);
        const used = readings.slice(1).map(({ fuel }, n) => (readings[n]?.fuel ?? fuel) - fuel)
          .filter((each) => Math.abs(each) < LITERS).reduce((sum, each) => sum + each, 0);
        near(row?.['liters_used'], used);
        near(row?.['kilometers'], newest(van).odometer - (van.readings[0]?.odometer ?? 0));
        near(row?.['liters_per_100_kilometers'], 100 * used / Number(row?.['kilometers']));
      }
      expect(rows).toHaveLength(VANS.length);
    },
  },
  'fuel-jumps': {
    parameters: { liters: LITERS, ...window },
    check: (rows) => {
      const jumps = VANS.flatMap((van) => {
        const readings = fuelled(van);
        return readings.slice(1).flatMap(({ fuel, at_s }, n) => {
          const change = fuel - (readings[n]?.fuel ?? fuel);
          return Math.abs(change) < LITERS ? [] : [[
            van.device, text(at_s), change > 0 ? 'refuelled' : 'lost', Math.abs(change),
          ]];
        });
      });
      expect(rows.map(({ device_id, ts, kind, liters }) => (
        [device_id, String(ts).slice(0, 19), kind, liters]
      ))).toEqual(jumps);
      expect(rows).toMatchObject([{ kind: 'refuelled' }, { kind: 'lost', kilometers: 0 }]);
    },
  },
  'lives-by-brand': {
    parameters: window,
    check: (rows) => {
      expect(rows).toHaveLength(2);
      for (const { brand, devices, stopped, median_hours, most_hours } of rows) {
        const own = VANS.filter((van) => van.brand === brand);
        const lives = own.flatMap(({ started_s, stopped_s }) => (
          stopped_s === undefined ? [] : [(stopped_s - started_s) / 3_600]
        ));
        expect([devices, stopped]).toEqual([String(own.length), String(lives.length)]);
        near(median_hours, median(lives));
        near(most_hours, greatest(lives));
      }
    },
  },
  'night-driving': {
    parameters: { time_zone, ...window },
    check: (rows) => {
      const isNight = ({ speed, at_s }: VanReading): boolean => (
        speed > 0 && (hourOf(at_s) < 5 || hourOf(at_s) >= 22)
      );
      expect(new Map(rows.map(({ device_id, minutes }) => [device_id, Number(minutes)])))
        .toEqual(new Map(VANS.map(({ device, readings }) => (
          [device, readings.filter(isNight).length] as const
        )).filter(([, minutes]) => minutes > 0)));
      expect(rows.length).toBeGreaterThan(1);
      expect(rows.length).toBeLessThan(VANS.length);
    },
  },
  'hot-engines': {
    parameters: { celsius: CELSIUS, ...window },
    check: (rows) => {
      const hot = VANS.flatMap(({ device, readings }) => readings
        .filter(({ engine_temperature }) => engine_temperature > CELSIUS)
        .map((reading) => ({ device, ...reading })));
      expect(rows).toMatchObject([{
        device_id: hot[0]?.device, readings: String(hot.length), hot_s: String(60 * hot.length),
        hottest: greatest(hot.map(({ engine_temperature }) => engine_temperature)),
      }]);
    },
  },
  'events-by-hour': {
    parameters: { time_zone, ...window },
    check: (rows) => {
      expect(new Map(rows.map(({ hour, name, events }) => (
        [`${String(hour)} ${String(name)}`, Number(events)]
      )))).toEqual(tally(VAN_EVENTS.map(({ at_s, name }) => `${hourOf(at_s)} ${name}`)));
    },
  },
  'personal-data-access': {
    parameters: window,
    check: (rows) => {
      expect(rows).toEqual(AUDITS.filter(({ touches }) => touches === 'persons').toReversed()
        .map(({ at_ms, actor, command, subject, reason }) => (
          { at: millis(at_ms), actor, command, subject, reason }
        )));
      expect(rows).toHaveLength(2);
    },
  },
  'impossible-times': {
    parameters: window,
    check: (rows) => {
      expect(new Map(rows.map(({ reason, fixes }) => [reason, Number(fixes)])))
        .toEqual(tally(WRONG_TIMES.map(([reason]) => reason)));
      expect(rows[0]).toMatchObject({ provider: 'south', devices: '1' });
    },
  },
  'open-dead-letters': {
    parameters: { since: text(START_TS) },
    check: (rows) => {
      const open = DEAD_LETTERS.filter(({ isReplayed }) => !isReplayed);
      const all = tally(DEAD_LETTERS.map(({ topic }) => topic));
      expect(rows.map(({ topic, code, items, dead_letters, open: waiting }) => (
        [topic, code, items, dead_letters, waiting]
      ))).toEqual(open.map(({ topic, code, items }) => (
        [topic, code, String(items), String(all.get(topic)), '1']
      )));
      expect(rows).toHaveLength(2);
    },
  },
  'duplicates-by-provider': {
    parameters: window,
    check: (rows) => {
      const [north] = rows;
      const readings = VANS.filter(({ provider }) => provider === 'north')
        .reduce((sum, van) => sum + van.readings.length, 0);
      // Twenty fixes came twice; the events and one answer of that provider count as well.
      expect(north).toMatchObject({
        provider: 'north', repeated: '20', accepted: String(readings + 20 + VAN_EVENTS.length + 1),
      });
      expect(rows.slice(1).every(({ repeated }) => repeated === '0')).toBe(true);
      expect(rows.length).toBeGreaterThan(2);
    },
  },
  'unread-records': {
    parameters: window,
    check: (rows) => {
      expect(rows).toMatchObject([{
        topic: UNREAD.topic, records: String(UNREAD.records), first_missing: String(UNREAD.first),
        last_missing: String(UNREAD.first + UNREAD.records - 1),
      }]);
    },
  },
};
