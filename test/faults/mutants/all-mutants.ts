import { LIVE_MUTANTS } from './live.ts';
import { LOG_MUTANTS } from './log.ts';
import type { Mutant } from './mutant.ts';
import { OTHER_MUTANTS } from './others.ts';
import { STATE_MUTANTS } from './state.ts';
import { WEBHOOK_MUTANTS } from './webhooks.ts';

/** Every mutant that the checker must catch. */
export const MUTANTS: readonly Mutant[] = [
  ...LOG_MUTANTS, ...STATE_MUTANTS, ...OTHER_MUTANTS, ...WEBHOOK_MUTANTS,
  ...LIVE_MUTANTS,
];
