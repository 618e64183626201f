import { describe, expect, it } from 'vitest';
import { scoreOf, sumOf } from '../../stops/score.ts';

const drive = (stops: readonly (readonly [number, number])[], meters = 100) => ({
  stops: stops.map(([from, to]) => ({ from, to })), trips: [], meters,
});

describe('the score of found stops', () => {
  it('finds a stop by one that shares half of the time that either takes', () => {
    const truth = drive([[0, 600], [1_000, 1_600]]);
    expect(scoreOf(truth, drive([[0, 300], [1_301, 1_600]])).stops)
      .toEqual({ there: 2, found: 2, matched: 1, endsOffS: 300 });
  });

  it('takes each found stop once', () => {
    expect(scoreOf(drive([[0, 600], [0, 610]]), drive([[0, 600]])).stops)
      .toEqual({ there: 2, found: 1, matched: 1, endsOffS: 0 });
  });

  it('counts a stop the same in whichever drive it is, and sums distances', () => {
    const rich = scoreOf(drive([[0, 600], [1_000, 1_600]]), drive([[0, 600]], 150));
    const poor = scoreOf(drive([]), drive([[0, 600]], 50));
    expect(sumOf([rich, poor])).toMatchObject({
      stops: { there: 2, found: 2, matched: 1 }, meters: 200, truthMeters: 200,
    });
  });
});
