import { describe, expect, it } from 'vitest';
import { createDice } from '../../faults/dice.ts';
import { createPacer } from '../../faults/workload/pace.ts';
import { SCENARIOS } from '../../faults/scenarios/index.ts';

const draw = (seed: number, name: string): readonly number[] => {
  const dice = createDice(seed).fork(name);
  return Array.from({ length: 20 }, () => dice.between(1, 1_000));
};

describe('dice', () => {
  it('are the same again for the same seed and name, and others for another', () => {
    expect(draw(7, 'a')).toEqual(draw(7, 'a'));
    expect(draw(7, 'a')).not.toEqual(draw(8, 'a'));
    expect(draw(7, 'a')).not.toEqual(draw(7, 'b'));
  });

  it('stay within their bounds and reach them', () => {
    const dice = createDice(1);
    const thrown = new Set(Array.from({ length: 1_000 }, () => dice.between(1, 6)));
    expect([...thrown].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('the turns of a limited load', () => {
  it('come at even distances, and those not taken are not saved up', async () => {
    let nowMs = 5_000;
    const waits: number[] = [];
    const awaitSlot = createPacer({ pauseMsMax: 0, callsPerSecond: 10 }, {
      nowMs: () => nowMs,
      pause: async (ms) => { waits.push(ms); },
    });
    for (let nth = 0; nth < 3; nth += 1) await awaitSlot();
    nowMs += 1_000;
    for (let nth = 0; nth < 2; nth += 1) await awaitSlot();
    expect(waits).toEqual([100, 200, 100]);
  });

  it('are no limit when none is said', async () => {
    const awaitSlot = createPacer({ pauseMsMax: 0 }, {
      nowMs: () => 0, pause: () => Promise.reject(new Error('it waits')),
    });
    await expect(awaitSlot()).resolves.toBeUndefined();
  });
});

describe('scenarios', () => {
  it('have names of their own and plan the same faults for the same seed', () => {
    expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length);
    const timesOf = (seed: number): unknown => SCENARIOS.map(({ plan }) => (
      plan(createDice(seed))
        .map(({ atMs, forMs, fault: { name, target } }) => [atMs, forMs, name, target])
    ));
    expect(timesOf(3)).toEqual(timesOf(3));
  });

  it('begin every fault before they heal', () => {
    for (const { name, seconds, plan } of SCENARIOS) {
      const last = Math.max(0, ...plan(createDice(5)).map(({ atMs }) => atMs));
      expect(last, name).toBeLessThan(seconds * 1_000);
    }
  });
});
