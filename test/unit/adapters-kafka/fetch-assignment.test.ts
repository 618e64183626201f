import { afterEach, describe, expect, it, vi } from 'vitest';
import { fetchAssignment } from '../../../services/adapters/kafka/consume/fetch-assignment.ts';
import { pause } from '../../../services/adapters/kafka/backoff.ts';
import type { Fetcher } from '../../../services/adapters/kafka/consume/fetcher.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';

const place = { topic: 't', topicId: 'id', partition: 0, next: 0n };
const sink = { offer: () => undefined, room: async () => undefined };

/** Fetches that fail so often because a broker does not know the topic, and then bring nothing. */
async function fetchAgainst(unknownTimes: number, doubts: boolean[] = []): Promise<number> {
  const left = new AbortController();
  let fetches = 0;
  const fetcher: Fetcher = {
    byLeader: async (offsets) => new Map([[1, [...offsets]]]),
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
  await fetchAssignment(fetcher, [place], sink, { backoffMsMin: 1, fetchGapMs: 0 }, {
    signals: silentSignals, random: () => 0, left: left.signal,
    doubt: (isInDoubt) => { doubts.push(isInDoubt); },
  });
  return fetches;
}

/** When fetches began that each took so long, in milliseconds from the first of them. */
async function fetchesTaking(tookMs: number, fetchGapMs: number): Promise<readonly number[]> {
  vi.useFakeTimers();
  const left = new AbortController();
  const begun: number[] = [];
  const fetcher: Fetcher = {
    byLeader: async (offsets) => new Map([[1, [...offsets]]]),
    async fetch() {
      begun.push(performance.now());
      await pause(tookMs);
      if (begun.length === 4) left.abort();
      return [];
    },
    forgetLeaders: () => undefined,
    close: async () => undefined,
  };
  const done = fetchAssignment(fetcher, [place], sink, { backoffMsMin: 1, fetchGapMs }, {
    signals: silentSignals, random: () => 0, left: left.signal, doubt: () => undefined,
  });
  await vi.advanceTimersByTimeAsync(10 * (tookMs + fetchGapMs));
  await done;
  return begun.map((ms) => ms - (begun[0] ?? 0));
}

describe('fetching a share', () => {
  afterEach(() => { vi.useRealTimers(); });

  it('lets records gather at the broker from one fetch to the next', async () => {
    expect(await fetchesTaking(5, 20)).toEqual([0, 20, 40, 60]);
  });

  it('fetches at once after an answer that was long in coming', async () => {
    expect(await fetchesTaking(500, 20)).toEqual([0, 500, 1_000, 1_500]);
  });

  it('is patient with a broker that does not know a topic yet', async () => {
    expect(await fetchAgainst(9)).toBe(10);
  });

  it('is in doubt about its positions for as long as a broker does not know a topic', async () => {
    const doubts: boolean[] = [];
    await fetchAgainst(2, doubts);
    expect(doubts).toEqual([true, true, false]);
    await fetchAgainst(0, doubts);
    expect(doubts).toHaveLength(3);
  });

  it('ends with an alarm when the topic is gone for good: it may have been recreated', async () => {
    await expect(fetchAgainst(10)).rejects.toMatchObject({ code: 'TOPIC_RECREATED' });
  });
});
