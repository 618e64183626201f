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

it('goes on after a poll that failed, and says why it did', async () => {
  const ended = new AbortController();
  const receivedMs = Date.now();
  const failures: (string | undefined)[] = [];
  const query: Query = async <Row>() => {
    failures.push(freshness.failure());
    if (failures.length === 1) throw new Error('no such table');
    if (failures.length === 3) ended.abort();
    return [{ received_ms: String(receivedMs), items: '2' }] as Row[];
  };
  const freshness = watchFreshness(query, receivedMs);
  await freshness.follow(ended.signal);
  expect(failures).toEqual([undefined, 'no such table', undefined]);
  expect([freshness.seen(), freshness.failure()]).toEqual([2, undefined]);
});

it('does not hide that the last poll failed', async () => {
  const query: Query = () => Promise.reject(new Error('away'));
  await expect(watchFreshness(query, 0).poll()).rejects.toThrow('away');
});
