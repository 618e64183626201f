import type { Dice } from '../dice.ts';
import type { Fault, Planned } from '../scenario.ts';

/** One fault after the other, each for `everyMs`, in an order that the dice choose. */
export function oneByOne<Case>(
  dice: Dice, cases: readonly Case[], everyMs: number, make: (one: Case, nth: number) => Fault,
): readonly Planned[] {
  return cases
    .map((one) => ({ one, order: dice.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ one }, nth) => ({ atMs: nth * everyMs, forMs: everyMs - 200, fault: make(one, nth) }));
}
