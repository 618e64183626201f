import { describe, expect, it } from 'vitest';
import { BODY_OPERATIONS } from '../../support/every-body/edge.ts';
import { bodyOf, fuzzBodies } from '../../support/every-body/fuzz.ts';
import { faultOf, tokensOf } from '../../support/every-body/judge.ts';

const COUNT = 3_000;
const SEED = 5;

describe('bodies that are changed at random', () => {
  it('[GEN-01] never lead to a 5xx, and what is accepted is in the log as it was written',
    async () => {
      const plan = { seed: SEED, from: 0, to: COUNT, lanes: 4 };
      const { counts, findings } = await fuzzBodies(plan);
      expect(findings).toEqual([]);
      expect(counts.sent).toBe(COUNT);
      // Else the changes are so rough that nothing is learnt about what is accepted.
      expect(counts.accepted).toBeGreaterThan(COUNT / 20);
      expect(counts.refused).toBeGreaterThan(COUNT / 4);
    }, 60_000);

  it('are the same for the same seed and number, and differ with either', () => {
    const all = (seed: number): string[] => (
      Array.from({ length: 200 }, (_, number) => bodyOf(seed, number).body)
    );
    expect(all(1)).toEqual(all(1));
    expect(new Set([...all(1), ...all(2)]).size).toBeGreaterThan(300);
    const ids = Array.from({ length: 50 }, (_, number) => bodyOf(1, number).id);
    expect(new Set(ids)).toEqual(new Set(BODY_OPERATIONS));
  });

  it.each<[string, string, boolean]>([
    ['{"a":"x","b":1.50}', '{"b":1.5,"a":"x"}', true],
    ['{"a":"\\u0041"}', '{"a":"A"}', true],
    ['{"a":1e3}', '{"a":1000}', true],
    ['{"a":0.10000000000000001}', '{"a":0.1}', false],
    ['{"a":9007199254740993}', '{"a":9007199254740992}', false],
    ['{"a":-1}', '{"a":1}', false],
    ['{"a":"x "}', '{"a":"x"}', false],
    ['{"a":1,"b":2}', '{"a":1}', false],
  ])('are judged: %s kept as %s is fine: %s', (body, stored, isFine) => {
    const fault = faultOf({ status: 202, text: '{}', stored: [stored] }, () => tokensOf(body));
    expect(fault === undefined).toBe(isFine);
  });

  it('are judged: a 5xx and an answer that is no JSON are faults', () => {
    const none = (): string[] => [];
    expect(faultOf({ status: 500, text: '{}', stored: [] }, none)).toContain('answered 500');
    expect(faultOf({ status: 400, text: '<html>', stored: [] }, none)).toContain('no JSON');
    expect(faultOf({ status: 400, text: '{}', stored: [] }, () => ['"x'])).toBeUndefined();
  });
});
