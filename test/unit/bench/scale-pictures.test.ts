import { expect, it } from 'vitest';
import { isPassed, pageOfPictures } from '../../scale/pictures/page.ts';
import type { PicturesResult } from '../../scale/pictures/run-pictures.ts';

/** A hundred pictures of 101 to 200 ms. */
const RESULT: PicturesResult = {
  devices: 10_000, days: 30, fixes: 1_000_000, frames: 3_000_000, bytesPerFrame: 12.34,
  cpuMs: Array.from({ length: 100 }, (_, n) => 101 + n), wallMs: [90], megaRows: [0.25],
  megaBytesMax: 40, compared: 1_000, differing: 0, differingAfterLate: 0,
};

it('passes when pictures are fast enough and every place is that of SQL', () => {
  expect(isPassed(RESULT)).toBe(true);
  expect(isPassed({ ...RESULT, cpuMs: RESULT.cpuMs.map((each) => each + 106) })).toBe(false);
  expect(isPassed({ ...RESULT, cpuMs: RESULT.cpuMs.map((each) => each + 105) })).toBe(true);
  expect(isPassed({ ...RESULT, differing: 1 })).toBe(false);
  expect(isPassed({ ...RESULT, differingAfterLate: 1 })).toBe(false);
});

it('shows what a picture takes, and how many places differ', () => {
  const page = pageOfPictures(RESULT, 'npm run scale -- --pictures', 'abc', '2 cores');
  expect(page).toContain('10,000 devices on 30 days');
  expect(page).toContain('| milliseconds of processor of ClickHouse | 150 | 195 | 200 |');
  expect(page).toContain('| places compared, those that differ, those that differ after late fixes | 1000, 0, 0 |');
});
