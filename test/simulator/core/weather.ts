import type { Dice } from '../../faults/dice.ts';

/** The outcome of one exchange: done and answered, never done, or done and the answer lost. */
export type ExchangeOutcome = 'ok' | 'dropped' | 'answer-lost';

/** How likely each fault is in one schedule, from 0 to 1. */
export interface Rates {
  readonly dropped: number;
  readonly answerLost: number;
  /** An exchange that takes seconds: longer than deadlines, sometimes longer than leases. */
  readonly slow: number;
  /** An append that takes long, but not longer than its deadline. */
  readonly slowLog: number;
  /** A record that was written and is written again, because its answer was lost. */
  readonly doubled: number;
  /** A consumer that is behind. */
  readonly lag: number;
  readonly full: number;
  /** Per step. */
  readonly kill: number;
  readonly wipe: number;
  readonly stall: number;
  readonly rebalance: number;
}

/** The faults of one schedule. After `calm` there are none any more. */
export interface Weather {
  readonly rates: Rates;
  outcome(): ExchangeOutcome;
  latencyMs(): number;
  chance(of: keyof Rates): boolean;
  calm(): void;
  isCalm(): boolean;
}

const MOST: Rates = {
  dropped: 0.05, answerLost: 0.05, slow: 0.1, slowLog: 0.8, doubled: 0.5, lag: 0.7, full: 0.03,
  kill: 0.02, wipe: 0.02, stall: 0.008, rebalance: 0.01,
};

/**
 * Draws the weather of one schedule: some faults often, some never, so that schedules differ more
 * than if each had a little of everything.
 */
export function createWeather(dice: Dice): Weather {
  const rates = Object.fromEntries(Object.entries(MOST).map(
    ([name, most]: [string, number]) => [name, dice.chance(0.45) ? 0 : most * dice.next()],
  )) as unknown as Rates;
  let isCalm = false;

  return {
    rates,
    outcome() {
      if (isCalm) return 'ok';
      const roll = dice.next();
      if (roll < rates.dropped) return 'dropped';
      return roll < rates.dropped + rates.answerLost ? 'answer-lost' : 'ok';
    },
    latencyMs() {
      if (isCalm) return dice.between(0, 2);
      const roll = dice.next();
      if (roll < rates.slow) return dice.between(500, 14_000);
      return roll < 0.3 ? dice.between(0, 200) : dice.between(0, 4);
    },
    chance: (of) => !isCalm && dice.chance(rates[of]),
    calm() { isCalm = true; },
    isCalm: () => isCalm,
  };
}
