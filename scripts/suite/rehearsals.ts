import type { Tally } from './tally.ts';

/** A command that shows the product in real containers, at a real API server, to a stranger. */
export interface Rehearsal {
  readonly name: string;
  /** The script and its words; with `--bring` behind them it fills the cache and ends. */
  readonly words: readonly string[];
  /** How long it may take once everything is there; with less time left it does not begin. */
  readonly playMsMax: number;
}

/** The result of a rehearsal. */
export interface RehearsalEnd extends Tally {
  readonly name: string;
  readonly tookMs: number;
  /** Why it was not played; then it counts nothing. */
  readonly leftOut?: string;
}

const MINUTE_MS = 60_000;
const WHY_CHARS_MAX = 160;
const ALL = 'all';
const NONE = 'none';

/** What belongs to a run of all tests in CI, as far as it fits into its time (ADR 0082). */
export const REHEARSALS: readonly Rehearsal[] = [
  { name: 'overlays', words: ['scripts/cluster.ts', 'rehearse', 'overlays'], playMsMax: 12 * MINUTE_MS },
  {
    name: 'containers', words: ['scripts/containers.ts', '--only', 'image,inspect,compose'],
    playMsMax: 10 * MINUTE_MS,
  },
  { name: 'bruno', words: ['scripts/check-clients.ts', 'bruno'], playMsMax: 6 * MINUTE_MS },
];

/**
 * The rehearsals of a run of all tests: those that RASTRO_REHEARSALS names, else all of them in CI
 * and none elsewhere. Throws on another word, so that a slip leaves nothing out.
 */
export function wantedRehearsals(
  env: Readonly<Record<string, string | undefined>>,
): readonly Rehearsal[] {
  const wish = env['RASTRO_REHEARSALS'] ?? '';
  if (wish === ALL || (wish === '' && (env['CI'] ?? '') !== '')) return REHEARSALS;
  if (wish === NONE || wish === '') return [];
  const named = REHEARSALS.filter(({ name }) => name === wish);
  if (named.length > 0) return named;
  const words = [ALL, NONE, ...REHEARSALS.map(({ name }) => name)];
  throw new Error(`RASTRO_REHEARSALS is ${words.join(', ')}, not ${wish}.`);
}

/** How long a rehearsal may bring what it needs, so that it can be played in the time left. */
export function bringMsOf({ playMsMax }: Pick<Rehearsal, 'playMsMax'>, leftMs: number): number {
  return Math.max(0, leftMs - playMsMax);
}

/** Why one was left out whose bringing failed or took too long, from what it said. */
export function whyNotBrought(said: string, isLate: boolean, allowedMs: number): string {
  if (isLate) return `what it needs could not be brought in the ${minutes(allowedMs)} that were left`;
  const [last = 'it said nothing'] = said.trim().split('\n').filter((line) => line !== '').slice(-1);
  return `what it needs could not be brought: ${last.trim().slice(0, WHY_CHARS_MAX)}`;
}

/** One line: what was rehearsed, what was not, and why. */
export function rehearsalLine(ends: readonly RehearsalEnd[]): string {
  return `rehearsals: ${ends.map(sentenceOf).join('; ')}`;
}

function sentenceOf({ name, passed, failed, tookMs, leftOut }: RehearsalEnd): string {
  return leftOut === undefined
    ? `${name} ran in ${minutes(tookMs)}, ${passed} acts passed and ${failed} failed`
    : `${name} not run, as ${leftOut}`;
}

function minutes(ms: number): string {
  return `${(ms / MINUTE_MS).toFixed(1)} minutes`;
}
