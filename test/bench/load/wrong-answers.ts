import type { LoadTally } from './order.ts';

/** What must not be in the last tally of a row: answers that were not 202, and broken lines. */
export function wrongAnswers({ others, brokenLines }: LoadTally): string[] {
  return [
    ...Object.entries(others).map(([status, times]) => `${times} posts were answered ${status}`),
    ...(brokenLines > 0 ? [`${brokenLines} lines broke`] : []),
  ];
}
