import { expect, it } from 'vitest';
import { pageOfWeek, percentile, scaledOf } from '../../scale/week/page.ts';
import type { WeekResult } from '../../scale/week/run-week.ts';

/** A day of ten devices: 20 µs for each of 86,400 fixes, and 0.5 s for each of 144 refreshes. */
const WEEK: WeekResult = {
  devices: 10, days: 1, fixes: 86_000, ageS: [120, 600, 240], finalS: [600], refreshes: 144,
  idleCpuS: 0.5, refreshCpuS: 144 * 0.5 + 1.728, lastHourCpuS: 3 + 0.108, lastHourFixes: 3_600,
  insertCpuS: 4, memoryBytesMax: 5e8, onward: 1_400, wholeAgain: 3, differing: 0,
};

it('scales what new fixes take to 100,000 devices, and counts an idle refresh each minute', () => {
  const scaled = scaledOf(WEEK);
  expect(scaled.usPerFix).toBeCloseTo(20, 6);
  expect(scaled.usPerLastFix).toBeCloseTo(30, 6);
  // 864 million fixes of 20 µs, and 1,440 refreshes of half a second.
  expect(scaled.cpuSPerDay).toBeCloseTo(17_280 + 720, 3);
  expect(scaled.cores).toBeCloseTo(18_000 / 86_400, 6);
  expect(scaled.coresOfLastHour).toBeCloseTo(0.3 + 720 / 86_400, 6);
});

it('knows the value that so many of a hundred do not exceed', () => {
  const values = Array.from({ length: 200 }, (_, n) => 200 - n);
  expect([50, 99, 100].map((percent) => percentile(values, percent))).toEqual([100, 198, 200]);
});

it('shows ages, times to final and what differs', () => {
  const page = pageOfWeek(WEEK, 'npm run scale -- --week', 'abc', '2 cores');
  expect(page).toContain('| age of the rows of today | 240 | 600 | 600 |');
  expect(page).toContain('| rows of the last two days that differ from computing them whole | 0 |');
  expect(page).toContain('**18000 s of CPU a day,');
});
