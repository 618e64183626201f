import fc from 'fast-check';
import type { LogRecord } from '../../../services/kernel/record-log.ts';

/** The seed of a random history: `RASTRO_HISTORY_SEED` repeats one, else each run has its own. */
export function seedOfRun(): number {
  const given = process.env['RASTRO_HISTORY_SEED'];
  return given === undefined ? Date.now() % 1_000_000_000 : Number(given);
}

/**
 * Records as posts of a table writer that reads in no order and again: all of them shuffled, in
 * two parts, and the first 40 once more. Their offsets keep the order of the log.
 */
export function postsInAnyOrder(
  records: readonly LogRecord[], seed: number,
): readonly (readonly LogRecord[])[] {
  const [shuffled = []] = fc.sample(
    fc.shuffledSubarray([...records], { minLength: records.length }), { numRuns: 1, seed },
  );
  return [shuffled.slice(0, 150), shuffled.slice(150), shuffled.slice(0, 40)];
}
