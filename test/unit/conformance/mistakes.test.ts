import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_CHECKS } from '../../../services/conformance/all-checks.ts';
import { startWrongReceiver, type WrongReceiver } from '../../support/wrong-receiver.ts';
import { MISTAKES } from '../../support/wrong-receiver/mistakes.ts';
import { examine } from './examine.ts';

describe('the conformance kit', () => {
  let receiver: WrongReceiver;
  beforeAll(async () => { receiver = await startWrongReceiver(); });
  afterAll(() => receiver.close());

  it.each(ALL_CHECKS.map((check) => [check.id, check] as const))(
    'passes %s on a right counterpart', async (_, check) => {
      expect(await examine(receiver, check)).toEqual({ kind: 'passed' });
    });

  it.each(MISTAKES.map((mistake) => [mistake.check, mistake.name, mistake] as const))(
    'fails %s on %s', async (id, _, { twist, complaint }) => {
      const check = ALL_CHECKS.find((each) => each.id === id);
      const outcome = await examine(receiver, check!, twist);
      expect(outcome.kind).toBe('failed');
      const reasons = outcome.kind === 'failed'
        ? outcome.reasons.map(({ text }) => text).join('\n') : '';
      expect(reasons).toMatch(complaint);
    });

  it('has a mistake for each check, and no mistake for a check that is gone', () => {
    const checks = new Set(ALL_CHECKS.map(({ id }) => id));
    expect(new Set(MISTAKES.map(({ check }) => check))).toEqual(checks);
  });
});
