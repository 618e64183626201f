import { describe, expect, it } from 'vitest';
import { createPatientTalk, OutOfTime } from '../../../services/conformance/patience.ts';
import type { Ask, KitReply } from '../../../services/conformance/talk.ts';

type Answer = readonly [status: number, headers?: Readonly<Record<string, string>>];

const TOKEN: Ask = { path: '/oauth/token' };
const CALL: Ask = { path: '/shipping/rtt/devices' };
const GOOD: Answer = [200];

/** A talk over a list of answers, the last of which stays, and a clock that waits move. */
function patient(
  answers: readonly Answer[], config: { tokensPerMinute?: number; deadlineSeconds?: number } = {},
) {
  let nowMs = Date.UTC(2026, 10, 26);
  let number = 0;
  const sentAt: number[] = [];
  const printed: string[] = [];
  const startedMs = nowMs;
  const { talk, waits } = createPatientTalk({
    tokensPerMinute: 10, deadlineSeconds: 900, ...config,
  }, {
    clock: { nowMs: () => nowMs },
    pause: async (milliseconds) => { nowMs += milliseconds; },
    print: (sentence) => { printed.push(sentence); },
    talk: async ({ path }) => {
      sentAt.push((nowMs - startedMs) / 1_000);
      const [status, headers = {}] = answers[Math.min(number, answers.length - 1)] ?? GOOD;
      number += 1;
      return {
        what: `POST ${path}`, status, text: '', json: {},
        header: (name: string) => headers[name],
      } satisfies KitReply;
    },
  });
  return { talk, waits, sentAt, printed };
}

describe('after a 429 the kit sends the same again', () => {
  it.each<[string, Answer, number]>([
    ['as late as Retry-After says, in full', [429, { 'retry-after': '300' }], 300],
    ['at the time of a date', [429, { 'retry-after': 'Thu, 26 Nov 2026 00:00:42 GMT' }], 42],
    ['after the five minutes of the interface where there is none', [429], 300],
    ['after these also where the header is none that HTTP has', [429, { 'retry-after': 'soon' }], 300],
  ])('%s', async (_, answer, seconds) => {
    const { talk, waits, sentAt, printed } = patient([answer, GOOD]);
    expect((await talk(CALL)).status).toBe(200);
    expect(sentAt).toEqual([0, seconds]);
    expect(waits()).toEqual({ throttled: 1, repeated: 0, waitedMs: seconds * 1_000 });
    expect(printed).toEqual([`POST ${CALL.path} answered 429: ${seconds} s to wait.`]);
  });

  it('each time, until the deadline of the run would pass, and then not at all', async () => {
    const { talk, sentAt } = patient([[429, { 'retry-after': '300' }]]);
    await expect(talk(CALL)).rejects.toThrow(OutOfTime);
    expect(sentAt).toEqual([0, 300, 600, 900]);
    await expect(patient([[429]], { deadlineSeconds: 299 }).talk(CALL))
      .rejects.toThrow('answered 429: 300 s to wait, beyond the deadline of 299 s');
  });
});

describe('after a 500 or 503 the kit sends the same again', () => {
  it.each<[Answer, number]>([
    [[500, { 'retry-after': '7' }], 7], [[500], 1], [[503, { 'retry-after': '2' }], 2],
  ])('%j', async (answer, seconds) => {
    const { talk, waits, sentAt } = patient([answer, GOOD]);
    expect((await talk(CALL)).status).toBe(200);
    expect(sentAt).toEqual([0, seconds]);
    expect(waits()).toMatchObject({ throttled: 0, repeated: 1 });
  });

  it('three times, and gives the fourth answer to the check', async () => {
    const { talk, sentAt } = patient([[500]]);
    expect((await talk(CALL)).status).toBe(500);
    expect(sentAt).toEqual([0, 1, 2, 3]);
  });

  it.each([400, 403, 404, 208, 202, 501])('but not after %i', async (status) => {
    const { talk, sentAt } = patient([[status]]);
    expect((await talk(CALL)).status).toBe(status);
    expect(sentAt).toEqual([0]);
  });
});

describe('below the limits', () => {
  const times = async (count: number, work: () => Promise<unknown>) => {
    for (let done = 0; done < count; done += 1) await work();
  };

  it('ten token requests go at once, and then one each six seconds', async () => {
    const { talk, sentAt } = patient([GOOD]);
    await times(13, () => talk(TOKEN));
    expect(sentAt).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 12, 18]);
  });

  it('the pace is a setting, and 0 is none', async () => {
    const slow = patient([GOOD], { tokensPerMinute: 1 });
    await times(3, () => slow.talk(TOKEN));
    expect(slow.sentAt).toEqual([0, 60, 120]);
    const fast = patient([GOOD], { tokensPerMinute: 0 });
    await times(99, () => fast.talk(TOKEN));
    expect(new Set(fast.sentAt)).toEqual(new Set([0]));
  });

  it('other calls wait where the answer before says that few are left', async () => {
    const few = { 'ratelimit-remaining': '9', 'ratelimit-reset': '2' };
    const enough = { 'ratelimit-remaining': '10', 'ratelimit-reset': '2' };
    const { talk, sentAt } = patient([[202, enough], [202, few], [202, enough], GOOD]);
    await times(4, () => talk(CALL));
    expect(sentAt).toEqual([0, 0, 2, 2]);
  });

  it('headers that are no numbers change nothing', async () => {
    const { talk, sentAt } = patient([[202, { 'ratelimit-remaining': '-1', 'ratelimit-reset': '9' }]]);
    await times(2, () => talk(CALL));
    expect(sentAt).toEqual([0, 0]);
  });
});
