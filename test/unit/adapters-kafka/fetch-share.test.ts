import { describe, expect, it } from 'vitest';
import { fetchShare } from '../../../services/adapters/kafka/consume/fetch-share.ts';
import type { Fetcher } from '../../../services/adapters/kafka/consume/fetcher.ts';
import { silent } from '../../support/kafka-logs.ts';

/** Fetches that fail so often because a broker does not know the topic, and then bring nothing. */
async function fetchAgainst(unknownTimes: number): Promise<number> {
  const left = new AbortController();
  let fetches = 0;
  const fetcher: Fetcher = {
    byLeader: async (positions) => new Map([[1, [...positions]]]),
    fetch: async () => {
      fetches += 1;
      if (fetches <= unknownTimes) {
        throw Object.assign(new Error('unknown'), { apiId: 'UNKNOWN_TOPIC_ID' });
      }
      left.abort();
      return [];
    },
    forgetLeaders: () => undefined,
    close: async () => undefined,
  };
  const place = { topic: 't', topicId: 'id', partition: 0, next: 0n };
  const sink = { offer: () => undefined, room: async () => undefined };
  await fetchShare(fetcher, [place], sink, { backoffMsMin: 1 }, {
    signals: silent, random: () => 0, left: left.signal,
  });
  return fetches;
}

describe('fetching a share', () => {
  it('is patient with a broker that does not know a topic yet', async () => {
    expect(await fetchAgainst(9)).toBe(10);
  });

  it('ends with an alarm when the topic is gone for good: it may have been made anew', async () => {
    await expect(fetchAgainst(10)).rejects.toMatchObject({ code: 'TOPIC_MADE_ANEW' });
  });
});
