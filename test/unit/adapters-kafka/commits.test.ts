import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCommits } from '../../../services/adapters/kafka/consume/commits.ts';
import type { CommitOffset } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';

const at = (nextOffset: bigint): CommitOffset => ({ topic: 't', partition: 3, nextOffset });

/** Commits against a coordinator that answers with these errors first. */
function commitsWith(...errors: readonly string[]) {
  const answers = [...errors];
  const sent: bigint[] = [];
  const left = new AbortController();
  const commits = createCommits({ group: 'g', heartbeatMs: 100, backoffMsMin: 10 }, {
    signals: silentSignals, random: () => 0.5,
    send: async (offsets) => {
      sent.push(...offsets.map(({ nextOffset }) => nextOffset));
      const apiId = answers.shift();
      if (apiId !== undefined) throw Object.assign(new Error(apiId), { apiId });
    },
  });
  commits.begin([at(5n)], left.signal);
  return { commits, sent, left };
}

describe('commits of a member', () => {
  beforeEach(() => { vi.useFakeTimers(); });
  afterEach(() => { vi.useRealTimers(); });

  it('are repeated for as long as the coordinator is away', async () => {
    const away = Array.from({ length: 20 }, () => 'COORDINATOR_LOAD_IN_PROGRESS');
    const { commits, sent } = commitsWith(...away);
    const committed = commits.commit([at(9n)]);
    await vi.advanceTimersByTimeAsync(60_000);
    await committed;
    expect(sent).toHaveLength(21);
  });

  it('are given up when the group has gone on without us, or the share has ended', async () => {
    const gone = commitsWith(...Array.from({ length: 20 }, () => 'UNKNOWN_MEMBER_ID'));
    const refused = expect(gone.commits.commit([at(9n)])).rejects.toThrow('UNKNOWN_MEMBER_ID');
    await vi.advanceTimersByTimeAsync(60_000);
    await refused;
    expect(gone.sent).toHaveLength(3);
    const away = commitsWith(...Array.from({ length: 20 }, () => 'NOT_COORDINATOR'));
    away.left.abort();
    await expect(away.commits.commit([at(9n)])).rejects.toThrow('NOT_COORDINATOR');
  });

  it('wait while a broker does not know a topic of ours, and are refused when the share ends so', async () => {
    const { commits, sent, left } = commitsWith();
    commits.doubt(true);
    const first = commits.stayWhile(commits.commit([at(9n)]));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([]);
    commits.doubt(false);
    await vi.advanceTimersByTimeAsync(20);
    await first;
    expect(sent).toEqual([9n]);
    commits.doubt(true);
    const second = expect(commits.commit([at(12n)])).rejects.toThrow('not known');
    left.abort();
    await second;
    expect(sent).toEqual([9n]);
    commits.begin([at(0n)], new AbortController().signal);
    await commits.commit([at(1n)]);
    expect(sent).toEqual([9n, 1n]);
  });

  it('keep the membership alive while work lasts, by the position that is true already', async () => {
    const { commits, sent } = commitsWith();
    const work = Promise.withResolvers<undefined>();
    const done = commits.stayWhile(work.promise);
    await vi.advanceTimersByTimeAsync(250);
    expect(sent).toEqual([5n, 5n]);
    await commits.commit([at(9n)]);
    await vi.advanceTimersByTimeAsync(100);
    work.resolve(undefined);
    await done;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([5n, 5n, 9n, 9n]);
  });

  it('never send the earlier offset while the next one is in flight', async () => {
    const away = Array.from({ length: 6 }, () => 'REQUEST_TIMED_OUT');
    const { commits, sent } = commitsWith(...away);
    const done = commits.stayWhile(commits.commit([at(9n)]));
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    expect(new Set(sent)).toEqual(new Set([9n]));
  });
});
