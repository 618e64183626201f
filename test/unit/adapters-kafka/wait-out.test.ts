import { describe, expect, it } from 'vitest';
import { OffsetOutOfRange } from '../../../services/adapters/kafka/consume/start-offsets.ts';
import { waitOut } from '../../../services/adapters/kafka/consume/wait-out.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';

/** Asks a log that gives these answers, one after the other. */
async function asked(answers: readonly (Error | string)[], left = new AbortController()) {
  const reasons: string[] = [];
  const open = [...answers];
  const answer = await waitOut(async () => {
    const next = open.shift() ?? 'no more';
    if (next instanceof Error) throw next;
    await Promise.resolve();
    return next;
  }, left.signal, {
    group: 'g', backoffMsMin: 1, backoffMsMax: 1, random: () => 0,
    signals: { ...silentSignals, consumerJoinFailed: ({ reason }) => { reasons.push(reason); } },
  });
  return { answer, reasons };
}

const withCode = (code: string): Error => Object.assign(new Error(code), { code });

describe('what a member asks the log about its assignment', () => {
  it('is asked until the log answers', async () => {
    const outages = Array.from({ length: 100 }, () => withCode('ECONNREFUSED'));
    const { answer, reasons } = await asked([...outages, 'here']);
    expect(answer).toBe('here');
    expect(reasons).toHaveLength(100);
  });

  it('is not asked any more once the assignment is taken away', async () => {
    const left = new AbortController();
    left.abort();
    expect(await asked(['here'], left)).toEqual({ answer: undefined, reasons: [] });
  });

  it('ends the member when records are lost, and at a defect of ours', async () => {
    await expect(asked([new OffsetOutOfRange('gone')])).rejects.toThrow('gone');
    await expect(asked([new TypeError('ours')])).rejects.toThrow('ours');
  });
});
