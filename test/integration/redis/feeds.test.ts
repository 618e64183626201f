import { describe, expect, it } from 'vitest';
import { feedStatesSuite } from '../../support/feed-states.suite.ts';
import { openRedisStates } from '../../support/open-redis-states.ts';

describe('Feeds in Redis', () => {
  feedStatesSuite(() => openRedisStates());

  it('are dropped from a queue that is not polled, when they are older than any poll', async () => {
    const { feeds, raw, close } = await openRedisStates();
    const now = Date.now();
    const open = (tracking_number: string, atMs: number) =>
      feeds.open({ carrier: 'p-asleep', tracking_number }, atMs, tracking_number);
    try {
      await open('old', now - 91 * 86_400_000 - 1);
      await open('young', now - 90 * 86_400_000);
      await open('new', now);
      const [queue = ''] = await raw.keys('*:feeds-due:p-asleep');
      expect(await raw.zrange(queue, '0', '-1')).toEqual(['young', 'new']);
      const lives = await Promise.all(
        (await raw.keys('*:feed:*')).map((key) => raw.pttl(key)),
      );
      expect(lives.every((left) => left > 0)).toBe(true);
    } finally {
      await close();
    }
  });
});
