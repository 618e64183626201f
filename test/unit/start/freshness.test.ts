import { expect, it } from 'vitest';
import { watchFreshness, type Query } from '../../../infra/local/demo/freshness.ts';

it('polls until it is ended, and takes the first poll that shows a row for its moment', async () => {
  const ended = new AbortController();
  const receivedMs = Date.now() - 60_000;
  let polls = 0;
  const query: Query = async <Row>() => {
    polls += 1;
    if (polls === 3) ended.abort();
    return (polls < 2 ? [] : [{ received_ms: String(receivedMs), items: '2' }]) as Row[];
  };
  const freshness = watchFreshness(query, receivedMs);
  await freshness.follow(ended.signal);
  expect(polls).toBe(3);
  expect(freshness.seen()).toBe(2);
  expect(freshness.percentile(0.99)).toBeGreaterThanOrEqual(60_000);
});

it('does not hide that a look failed', async () => {
  const query: Query = () => Promise.reject(new Error('away'));
  await expect(watchFreshness(query, 0).follow(new AbortController().signal))
    .rejects.toThrow('away');
});
