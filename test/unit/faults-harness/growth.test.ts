import { describe, expect, it } from 'vitest';
import { growthOf, lineOfGrowth } from '../../faults/run/growth.ts';
import { slopeOf } from '../../faults/run/slope.ts';
import type { Sample } from '../../faults/run-files.ts';

const MIB = 1_048_576;
const SECOND_NS = 1_000_000_000;

/** An hour of a process that starts again each 15 minutes. */
function hour(
  heldMiBOf: (second: number) => number, rssMiBOf = (_second: number) => 300,
): Sample[] {
  return Array.from({ length: 3_600 }, (_, second) => ({
    t_ns: String(second * SECOND_NS), process: 'workers-1', pid: Math.floor(second / 900),
    rss_bytes: rssMiBOf(second) * MIB, sockets: 20,
    ...(second % 5 === 0 ? { held_bytes: (heldMiBOf(second) + second % 30) * MIB } : {}),
  }));
}

describe('growth', () => {
  it('is flat though a process is killed and starts again small', () => {
    const [one] = growthOf(hour(() => 50, (second) => (second % 900 < 60 ? 80 : 200)));
    expect(one).toMatchObject({ verdict: 'flat', rssMiB: [200, 200], sockets: [20, 20] });
  });

  it('is flat while resident memory follows the load and nothing is kept', () => {
    const [one] = growthOf(hour((second) => 50 + second % 7, (second) => 300 + second / 20));
    expect(one).toMatchObject({ verdict: 'flat', rssMiB: [386, 476] });
  });

  it('is reported when a process keeps more and more until it starts again', () => {
    const [one] = growthOf(hour((second) => 50 + second % 900 / 100));
    expect(one?.verdict).toBe('GREW');
    expect(one?.heldMiB?.perHour).toBeCloseTo(36);
    expect(lineOfGrowth(one as never)).toBe(
      'GREW  workers-1: 300 to 300 MiB, held +36 MiB an hour (+36 to +36), '
      + 'from minute 10 on +36 (+36 to +36), 20 to 20 sockets (0 an hour)',
    );
  });

  it('is flat when a process fills up in its first ten minutes, and rises when it goes on', () => {
    const filling = (second: number): number => 50 + Math.min(second % 900, 600) / 60;
    const [filled] = growthOf(hour(filling));
    expect(filled?.heldMiB?.low).toBeGreaterThan(0);
    expect(filled).toMatchObject({ verdict: 'flat', agedMiB: { perHour: 0 } });
    const [going] = growthOf(hour((second) => filling(second) + second % 900 / 1_800));
    expect(going).toMatchObject({ verdict: 'rises' });
  });

  it('counts all minutes when lives are shorter than ten', () => {
    const short = hour((second) => 50 + second % 300 / 100)
      .map((sample, second) => ({ ...sample, pid: Math.floor(second / 300) }));
    expect(growthOf(short)[0]).toMatchObject({ verdict: 'GREW', agedMiB: undefined });
  });

  it('is reported when resident memory passes what a Pod may have', () => {
    const [one] = growthOf(hour(() => 50, (second) => 300 + second / 6));
    expect(one).toMatchObject({ verdict: 'GREW' });
  });

  it('is reported when sockets pile up, and when nothing was measured', () => {
    const held = hour(() => 50);
    const more = held.map((sample, nth) => ({ ...sample, sockets: 20 + nth / 20 }));
    expect(growthOf(more)[0]?.verdict).toBe('GREW');
    const unasked = held.map(({ held_bytes: _, ...sample }) => sample);
    expect(growthOf(unasked)[0]?.verdict).toBe('GREW');
  });
});

describe('a slope', () => {
  const points = (values: readonly number[]) => (
    values.map((value, nth) => ({ atHours: nth / 10, value }))
  );

  it('is the median of pairs within a group, whatever the levels of groups are', () => {
    const slope = slopeOf([points([1, 2, 3, 4]), points([101, 102, 103, 104])]);
    expect(slope?.perHour).toBeCloseTo(10);
  });

  it('has bounds with zero between them where values only scatter', () => {
    const slope = slopeOf([points([5, 3, 6, 4, 5, 3, 6, 4, 5, 4, 6, 3])]);
    expect(slope?.low).toBeLessThan(0);
    expect(slope?.high).toBeGreaterThan(0);
  });

  it('is not there without two points in a group', () => {
    expect(slopeOf([points([1]), points([2])])).toBeUndefined();
  });
});
