import type { Answer } from '../../kernel/http.ts';
import { badParameter } from './page.ts';

/** Both ends belong to it; milliseconds since epoch. */
export interface TimeRange {
  readonly since_ms: number;
  readonly until_ms: number;
}

const DAY_MS = 86_400_000;
const RANGE_DAYS_MAX = 31;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Reads `since` and `until`: the day before now unless they say more, and 31 days at most. */
export function readTimeRange(
  query: Readonly<Record<string, string | undefined>>, nowMs: number,
): TimeRange | Answer {
  const until = query['until'] === undefined ? nowMs : readTime(query['until']);
  if (until === undefined) return badTime('until');
  const since = query['since'] === undefined ? until - DAY_MS : readTime(query['since']);
  if (since === undefined) return badTime('since');
  if (since > until) return badParameter('since', 'since must not be after until.');
  if (until - since > RANGE_DAYS_MAX * DAY_MS) {
    return badParameter('since', `since must be at most ${RANGE_DAYS_MAX} days before until.`);
  }
  return { since_ms: since, until_ms: until };
}

/** Reads a time with its zone as milliseconds since epoch; undefined for anything else. */
export function readTime(text: string): number | undefined {
  const milliseconds = DATE_TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) || milliseconds < 0 ? undefined : milliseconds;
}

/** The answer to a time that {@link readTime} does not know. */
export function badTime(name: string): Answer {
  return badParameter(name, `${name} must be a time such as 2025-11-24T16:00:00Z; write + as %2B.`);
}
