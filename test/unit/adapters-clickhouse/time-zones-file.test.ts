import { describe, expect, it } from 'vitest';
import { offsetsOf } from '../../../scripts/build-time-zones/clocks.ts';
import {
  encodeTimeZones, readTimeZones,
} from '../../../services/adapters/clickhouse/time-zones-file.ts';

const SINCE_S = Date.UTC(2000, 0, 1) / 1_000;
const YEARS_S = 50 * 365 * 86_400;

describe('the file of time zones', () => {
  const zones = readTimeZones();

  it('has the clocks of this Node.js; else run scripts/build-time-zones.ts', () => {
    expect(zones.release).toBe(process.versions['tz']);
    for (const [index, { zone, changes }] of zones.clocks.entries()) {
      const offsetAt = offsetsOf(zone);
      for (let n = 0; n < 20; n += 1) {
        const at = SINCE_S + Math.floor((index * 0.754877666 + n * 0.618033988) % 1 * YEARS_S);
        const [, offset] = changes.findLast(([since]) => since <= at) ?? [];
        expect(offset, `${zone} ${at}`).toBe(offsetAt(at));
      }
    }
  });

  it('has a clock for every zone of a place and of a country', () => {
    const known = new Set(zones.clocks.map(({ zone }) => zone));
    const named = [
      ...zones.groups.flatMap((group) => group.split(/[,*]/).filter((name) => name !== '')),
      ...Object.values(zones.countries).flat(),
    ];
    expect(named.length).toBeGreaterThan(400);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('reads the same runs that were written, in the order of the cells', () => {
    const { starts, lists } = zones;
    expect(starts.length).toBe(lists.length);
    expect(starts.slice(1).every((start, index) => start > (starts[index] ?? 0))).toBe(true);
    expect(encodeTimeZones(zones).length).toBeGreaterThan(500_000);
  });
});
