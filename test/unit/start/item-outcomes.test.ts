import { expect, it } from 'vitest';
import { reportOutcomes } from '../../../infra/local/demo/item-outcomes.ts';
import type { Query } from '../../../infra/local/demo/freshness.ts';

const PATIENCE = { pollsMax: 3, pollMs: 1 };

/** Answers each look with the next numbers, and the last ones from then on. */
function looking(...polls: readonly { unexplained: number; unread: number }[]): Query {
  let at = 0;
  return async <Row>(sql: string) => {
    const { unexplained, unread } = polls[Math.min(at, polls.length - 1)]!;
    const isBalance = sql.includes('v_ingest_balance');
    if (!isBalance) at += 1;
    return [isBalance ? { unexplained: String(unexplained) } : { unread: String(unread) }] as Row[];
  };
}

const none = { unexplained: 0, unread: 0 };
const isExplained = async (query: Query) =>
  (await reportOutcomes(query, Date.now() - 1_000, PATIENCE)).isExplained;

it('lets a run fail for an item without an outcome, and for a record that was never read', async () => {
  expect(await isExplained(looking(none))).toBe(true);
  expect(await isExplained(looking({ unexplained: 1, unread: 0 }))).toBe(false);
  expect(await isExplained(looking({ unexplained: 0, unread: 1 }))).toBe(false);
});

it('waits for outcomes that are missing', async () => {
  const late = { unexplained: 2, unread: 0 };
  expect(await isExplained(looking(late, late, none))).toBe(true);
  expect(await isExplained(looking(late, late, late, none))).toBe(false);
});

it('lets a run fail when nothing answers', async () => {
  const away: Query = () => Promise.reject(new Error('as the test asked'));
  expect(await reportOutcomes(away, Date.now() - 1_000, PATIENCE))
    .toEqual({ line: 'outcomes         not known: as the test asked', isExplained: false });
});

it('asks again when a store was away for a while', async () => {
  let polls = 0;
  const back: Query = (sql) => {
    polls += 1;
    return polls === 1 ? Promise.reject(new Error('away')) : looking(none)(sql);
  };
  expect(await isExplained(back)).toBe(true);
});
