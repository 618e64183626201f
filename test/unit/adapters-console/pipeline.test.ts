import { describe, expect, it } from 'vitest';
import type { PipelineResource } from '../../../schemas/generated/types.ts';
import { BARS, barsOf, kindsOf, minutesOf, sumsOf } from '../../../services/adapters/console/browser/pipeline.ts';

const AT = { at: '2026-11-27T12:01:05.000Z', minutes_until: '2026-11-27T12:00:00.000Z' };
const minute = (time: string, change: object = {}): PipelineResource['minutes'][number] => ({
  minute: `2026-11-27T${time}:00.000Z`, kind: 'locations', calls: 1, accepted: 10, stored: 10,
  outlier: 0, out_of_order: 0, ignored_after_final: 0, disputed: 0, dead_lettered: 0, waiting: 0,
  ...change,
});
const MINUTES = [
  minute('11:58', { accepted: 4, stored: 3, waiting: 1 }),
  minute('11:58', { kind: 'notifications', accepted: 2, stored: 1, dead_lettered: 1 }),
  minute('11:59', { accepted: 12, stored: 12 }),
];

describe('minutes of the pipeline', () => {
  it('are all 15 whole ones, also those in which nothing was accepted, over all kinds', () => {
    const all = minutesOf({ ...AT, minutes: MINUTES });
    expect(all).toHaveLength(15);
    expect(all[0]).toMatchObject({ minute: '2026-11-27T11:45:00.000Z', accepted: 0 });
    expect(all.slice(-2)).toMatchObject([
      { minute: '2026-11-27T11:58:00.000Z', accepted: 6, stored: 4, dead_lettered: 1, waiting: 1 },
      { minute: '2026-11-27T11:59:00.000Z', accepted: 12, stored: 12 },
    ]);
    expect(sumsOf(all)).toMatchObject({ calls: 3, accepted: 18, stored: 16 });
  });

  it('are by kind those of the last minute and of all', () => {
    expect(kindsOf({ ...AT, minutes: MINUTES })).toMatchObject([
      { kind: 'locations', last: { accepted: 12 }, all: { accepted: 16 } },
      { kind: 'notifications', last: { accepted: 0 }, all: { accepted: 2 } },
    ]);
    expect(kindsOf({ ...AT, minutes: [] })).toEqual([]);
  });

  it('are bars from the bottom up, the highest as high as the sheet', () => {
    const bars = barsOf(minutesOf({ ...AT, minutes: MINUTES }));
    expect(bars).toEqual([
      { outcome: 'stored', x: 130, y: 40, height: 20 },
      { outcome: 'dead_lettered', x: 130, y: 35, height: 5 },
      { outcome: 'waiting', x: 130, y: 30, height: 5 },
      { outcome: 'stored', x: 140, y: 0, height: BARS.height },
    ]);
    expect(barsOf(minutesOf({ ...AT, minutes: [] }))).toEqual([]);
  });
});
