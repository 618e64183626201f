import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LocationFix } from '../../../schemas/generated/types.ts';
import { planLap, type Lap } from '../../../services/provider/replay/schedule.ts';

const fixes = fc.array(fc.integer({ min: -500, max: 2_000 }), { minLength: 1, maxLength: 60 })
  .map((steps): LocationFix[] => {
    let timestamp = 1_500_000_000;
    return steps.map((step, row) => {
      timestamp += step;
      return {
        timestamp, country_id: 'US', latitude: row / 100, longitude: 0,
        telemetry: { timestamp: timestamp + 0.5, speed: row },
      };
    });
  });

const laps = fc.record({
  fixes,
  begin: fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }),
  speed: fc.constantFrom(0.5, 1, 3, 60, 1_000),
  lapSecondsMax: fc.constantFrom(1, 60, 3_600),
  row: fc.nat(),
}).map((given) => {
  const firstRow = given.row % given.fixes.length;
  const config = { ...given, lateStepSecondsMax: 300 };
  const lap = planLap(given.fixes, firstRow, given.begin, config);
  return { ...given, firstRow, lap };
});

function timesOf(lap: Lap): number[] {
  return lap.dues.map(({ fix }) => fix.timestamp);
}

describe('a lap', () => {
  it('keeps the order and the content of every row, and leaves none out', () => {
    fc.assert(fc.property(laps, ({ fixes: rows, firstRow, lap }) => {
      const until = lap.nextRow === 0 ? rows.length : lap.nextRow;
      expect(lap.dues.map(({ fix }) => fix.latitude))
        .toEqual(rows.slice(firstRow, until).map((fix) => fix.latitude));
    }));
  });

  it('keeps the spacing: all times move by the same whole number of seconds', () => {
    fc.assert(fc.property(laps, ({ fixes: rows, firstRow, lap }) => {
      const shifts = lap.dues.map(({ fix }, index) =>
        fix.timestamp - (rows[firstRow + index]?.timestamp ?? 0));
      expect(new Set(shifts).size).toBe(1);
      expect(Number.isInteger(shifts[0])).toBe(true);
      for (const { fix } of lap.dues) {
        expect((fix.telemetry?.timestamp ?? 0) - fix.timestamp).toBe(0.5);
      }
    }));
  });

  it('never sends a time before it has come, and never goes back on the wall', () => {
    fc.assert(fc.property(laps, ({ lap, begin }) => {
      let before = 0;
      for (const { dueMs, fix } of lap.dues) {
        expect(fix.timestamp * 1000).toBeLessThanOrEqual(begin + dueMs + 1e-3);
        expect(dueMs).toBeGreaterThanOrEqual(before);
        before = dueMs;
      }
    }));
  });

  it('is no longer than allowed, and goes on where it ended', () => {
    fc.assert(fc.property(laps, ({ lap, lapSecondsMax, firstRow }) => {
      expect(lap.durationMs).toBeLessThanOrEqual(lapSecondsMax * 1000 + 1e-3);
      expect(lap.dues.at(-1)?.dueMs ?? 0).toBeLessThanOrEqual(lap.durationMs + 1e-3);
      expect(lap.nextRow === 0 || lap.nextRow > firstRow).toBe(true);
    }));
  });

  it('ends about now when it replays a forward track at real time or faster', () => {
    fc.assert(fc.property(laps, ({ lap, speed, begin, lapSecondsMax, fixes: rows, firstRow }) => {
      const forward = rows.slice(firstRow).toSorted((a, b) => a.timestamp - b.timestamp);
      fc.pre(speed >= 1 && lap.dues.length > 0);
      const config = { speed, lapSecondsMax, lateStepSecondsMax: 300 };
      const sorted = planLap(forward, 0, begin, config);
      const last = sorted.dues.at(-1);
      if (last === undefined || sorted.nextRow !== 0) return;
      const lagMs = begin + sorted.durationMs - last.fix.timestamp * 1000;
      expect(lagMs).toBeGreaterThanOrEqual(-1e-3);
      expect(lagMs).toBeLessThan(1_001);
    }));
  });

  it('keeps back steps as back steps', () => {
    const times = [0, 100, 40, 60, 200];
    const rows = times.map((seconds) => ({
      timestamp: 1_500_000_000 + seconds, country_id: 'US', latitude: 0, longitude: 0,
    }));
    const config = { speed: 1, lapSecondsMax: 3_600, lateStepSecondsMax: 300 };
    const lap = planLap(rows, 0, 1_700_000_000_000, config);
    const [first = 0] = timesOf(lap);
    expect(timesOf(lap).map((time) => time - first)).toEqual(times);
    expect(lap.dues.map(({ dueMs }) => dueMs / 1000)).toEqual([0, 100, 100, 120, 220]);
  });
});
