import { createHash } from 'node:crypto';

/** Chance that is the same again for the same seed. */
export interface Dice {
  /** A number from 0 up to but without 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** True with the probability. */
  chance(probability: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  /** Dice of their own for a part of the run, so that the parts do not disturb each other. */
  fork(name: string): Dice;
}

/** Makes dice (mulberry32) from a seed. */
export function createDice(seed: number | string): Dice {
  let state = createHash('sha256').update(String(seed)).digest().readUInt32LE(0);

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  const between = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick<Value>(values: readonly Value[]): Value {
      const value = values[between(0, values.length - 1)];
      if (value === undefined) throw new Error('There is nothing to pick from.');
      return value;
    },
    fork: (name) => createDice(`${seed}/${name}`),
  };
}
