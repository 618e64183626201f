import { setImmediate } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { repeatPoll } from '../../../services/workers/common/repeat-poll.ts';

const unexpected = (): never => { throw new Error('unexpected'); };

describe('a repeated poll', () => {
  it('keeps nothing of the polls that are over', async () => {
    const polls = 5_000;
    let left = polls;
    const poll = repeatPoll(1, async () => { left -= 1; }, {
      pause: () => setImmediate(), onFault: unexpected, onCrash: unexpected,
    });
    const promises = (): number => queryObjects(Promise, { format: 'count' });
    const before = promises();
    poll.start();
    while (left > 0) await setImmediate();
    const kept = promises() - before;
    await poll.stop();
    expect(kept).toBeLessThan(polls / 10);
  });

  it('ends in the midst of a wait when it is stopped', async () => {
    let polls = 0;
    const poll = repeatPoll(1, async () => { polls += 1; }, {
      pause: () => new Promise(() => {}), onFault: unexpected, onCrash: unexpected,
    });
    poll.start();
    await setImmediate();
    await poll.stop();
    expect(polls).toBe(1);
  });

  it('does not wait when it was stopped within a poll', async () => {
    const poll = repeatPoll(1, async () => { void poll.stop(); }, {
      pause: unexpected, onFault: unexpected, onCrash: unexpected,
    });
    poll.start();
    await poll.stop();
  });
});
