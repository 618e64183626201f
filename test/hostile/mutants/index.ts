import { BODIES_MUTANTS } from './bodies.ts';
import { GREEDY_MUTANTS } from './greedy.ts';
import { LINES_MUTANTS } from './lines.ts';
import { LIVE_MUTANTS } from './live.ts';
import type { HostileMutant } from './mutant.ts';
import { PARTIES_MUTANTS } from './parties.ts';
import { STRANGERS_MUTANTS } from './strangers.ts';
import { WEBHOOKS_MUTANTS } from './webhooks.ts';

/** Protections, each with the mistake that would take it away. */
export const HOSTILE_MUTANTS: readonly HostileMutant[] = [
  ...STRANGERS_MUTANTS, ...LINES_MUTANTS, ...BODIES_MUTANTS, ...GREEDY_MUTANTS,
  ...LIVE_MUTANTS, ...PARTIES_MUTANTS, ...WEBHOOKS_MUTANTS,
];
