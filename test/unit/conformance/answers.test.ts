import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_CHECKS } from '../../../services/conformance/all-checks.ts';
import {
  startWrongReceiver, type Twist, type WrongReceiver,
} from '../../support/wrong-receiver.ts';
import type { Asked, Told } from '../../support/wrong-receiver/world.ts';
import { examine } from './examine.ts';

/** A check with more answers is a table of flaws: all its refusals are turned in one run. */
const TURNED_ONE_BY_ONE_MAX = 12;

describe('every answer that a check gets', () => {
  let receiver: WrongReceiver;
  beforeAll(async () => { receiver = await startWrongReceiver(); });
  afterAll(() => receiver.close());

  it.each(ALL_CHECKS.map((check) => [check.id, check] as const))(
    'matters to %s: none may turn into its opposite unnoticed', async (_, check) => {
      const statuses: number[] = [];
      await examine(receiver, check, { tell: (told) => noted(told, statuses) });
      expect(statuses.length).toBeGreaterThan(0);
      const isTable = statuses.length > TURNED_ONE_BY_ONE_MAX;
      for (const [at, status] of statuses.entries()) {
        if (isTable && status >= 400) continue;
        const outcome = await examine(receiver, check, turnsFrom(at));
        expect([at, receiver.asked()[at]?.path, outcome.kind]).not.toContain('passed');
      }
      if (!isTable) return;
      const outcome = await examine(receiver, check, { tell: turnedRefusal });
      const reasons = outcome.kind === 'failed' ? outcome.reasons.length : 0;
      const refusals = statuses.filter((status) => status >= 400).length;
      expect(reasons).toBeGreaterThanOrEqual(refusals);
    }, 60_000);
});

/** The n-th answer and every later one to the very same request: refused if good, good if not. */
function turnsFrom(number: number): Twist {
  let calls = 0;
  let meant: string | undefined;
  return {
    tell(told: Told, asked: Asked): Told {
      const name = nameOf(asked);
      if (calls === number) meant = name;
      calls += 1;
      if (name !== meant) return told;
      return told.status < 400 ? { ...told, status: 500, body: {} } : turnedRefusal(told);
    },
  };
}

function turnedRefusal(told: Told): Told {
  return told.status < 400 ? told : { ...told, status: 200, body: {} };
}

function noted(told: Told, statuses: number[]): Told {
  statuses.push(told.status);
  return told;
}

function nameOf(asked: Asked): string {
  const { method, path, query, headers, bytes } = asked;
  return JSON.stringify([method, path, query, headers, bytes.toString('latin1')]);
}
