import { expect } from 'vitest';
import { text, type Expectation } from './expectations.ts';
import { LEAD_S, NEVER_STOPPED, SILENT_DEVICE, TAIL_S } from './fleet.ts';
import type { AnalystData } from './analyst-data.ts';
import type { TestTrack } from './test-track.ts';

/** What the queries about lives of devices and about commands must say of the world. */
export function ofFleet({ startTs, tracks }: AnalystData): Readonly<Record<string, Expectation>> {
  const window = { since: text(startTs - 86_400), until: text(startTs + 2 * 86_400) };
  const hoursOf = ({ fixes }: TestTrack): number => {
    const seconds = fixes.map(({ timestamp }) => timestamp);
    return (Math.max(...seconds) - Math.min(...seconds) + LEAD_S + TAIL_S) / 3_600;
  };
  return {
    'tracked-time-by-type': {
      parameters: window,
      check(rows) {
        const fleets = Map.groupBy(tracks, ({ provider }) => provider);
        expect(rows.map(({ entity_type }) => entity_type))
          .toEqual(['acme_truck', ...[...fleets.keys()].map((name) => `${name}_vehicle`)].toSorted());
        for (const [provider, fleet] of fleets) {
          const row = rows.find(({ entity_type }) => entity_type === `${provider}_vehicle`);
          expect(row?.['devices'], provider).toBe(String(fleet.length));
          const isStopped = provider !== NEVER_STOPPED;
          expect(row?.['stopped'], provider).toBe(isStopped ? String(fleet.length) : '0');
          if (!isStopped) continue;
          expect(row?.['most_hours'], provider)
            .toBeCloseTo(Math.max(...fleet.map(hoursOf)), 6);
        }
        const buses = rows.find(({ entity_type }) => entity_type === `${NEVER_STOPPED}_vehicle`);
        expect(buses).toMatchObject({ median_hours: null, most_hours: null });
      },
    },
    'started-without-location': {
      parameters: window,
      check: (rows) => {
        expect(rows).toMatchObject([{ device_id: SILENT_DEVICE, status: 'tracking' }]);
      },
    },
    'command-latency': {
      parameters: window,
      check: (rows) => {
        const common = { provider: 'acme', command: 'start_tracking' };
        expect(rows).toEqual([
          { ...common, state: 'done', commands: '2', mean_attempts: 2, median_s: 3, p95_s: 3.9, most_s: 4 },
          { ...common, state: 'refused', commands: '1', mean_attempts: 1, median_s: 1, p95_s: 1, most_s: 1 },
        ]);
      },
    },
    'unfinished-commands': {
      parameters: window,
      check: (rows) => {
        expect(rows).toMatchObject([
          { provider: 'best', command_id: 'command-4', state: 'queued', attempts: '0', status: null },
          { provider: 'best', command_id: 'command-5', state: 'sending', attempts: '1', status: 503 },
        ]);
      },
    },
  };
}
