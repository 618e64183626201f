import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_CHECKS } from '../../../services/conformance/all-checks.ts';
import {
  startWrongReceiver, type Twist, type WrongReceiver,
} from '../../support/wrong-receiver.ts';
import type { ReceivedRequest, ReceiverAnswer } from '../../support/wrong-receiver/receiver.ts';
import { examine } from './examine.ts';

/** A check with more answers is a table of flaws: all its refusals are turned in one run. */
const INVERTED_ONE_BY_ONE_MAX = 12;

describe('every answer that a check gets', () => {
  let receiver: WrongReceiver;
  beforeAll(async () => { receiver = await startWrongReceiver(); });
  afterAll(() => receiver.close());

  it.each(ALL_CHECKS.map((check) => [check.id, check] as const))(
    'matters to %s: none may turn into its opposite unnoticed', async (_, check) => {
      const statuses: number[] = [];
      await examine(receiver, check, { changeAnswer: (answer) => recordStatus(answer, statuses) });
      expect(statuses.length).toBeGreaterThan(0);
      const isTable = statuses.length > INVERTED_ONE_BY_ONE_MAX;
      for (const [at, status] of statuses.entries()) {
        if (isTable && status >= 400) continue;
        const outcome = await examine(receiver, check, invertFrom(at));
        expect([at, receiver.asked()[at]?.path, outcome.kind]).not.toContain('passed');
      }
      if (!isTable) return;
      const outcome = await examine(receiver, check, { changeAnswer: invertedRefusal });
      const reasons = outcome.kind === 'failed' ? outcome.reasons.length : 0;
      const refusals = statuses.filter((status) => status >= 400).length;
      expect(reasons).toBeGreaterThanOrEqual(refusals);
    }, 60_000);
});

/** The n-th answer and every later one to the very same request: refused if good, good if not. */
function invertFrom(number: number): Twist {
  let calls = 0;
  let meant: string | undefined;
  return {
    changeAnswer(answer: ReceiverAnswer, asked: ReceivedRequest): ReceiverAnswer {
      const name = nameOf(asked);
      if (calls === number) meant = name;
      calls += 1;
      if (name !== meant) return answer;
      return answer.status < 400 ? { ...answer, status: 500, body: {} } : invertedRefusal(answer);
    },
  };
}

function invertedRefusal(answer: ReceiverAnswer): ReceiverAnswer {
  return answer.status < 400 ? answer : { ...answer, status: 200, body: {} };
}

function recordStatus(answer: ReceiverAnswer, statuses: number[]): ReceiverAnswer {
  statuses.push(answer.status);
  return answer;
}

function nameOf(asked: ReceivedRequest): string {
  const { method, path, query, headers, bytes } = asked;
  return JSON.stringify([method, path, query, headers, bytes.toString('latin1')]);
}
