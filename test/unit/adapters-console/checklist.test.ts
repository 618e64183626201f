import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { stepsOf, STEPS } from '../../../services/adapters/console/browser/checklist.ts';
import { TEXTS } from '../../../services/adapters/console/browser/texts.ts';

const [FIRST, LATER] = ['2026-11-27T12:00:00.000Z', '2026-11-27T13:00:00.000Z'];

describe('the checklist of an integration', () => {
  it('is of operations that there are, each once, and each step has a text', () => {
    const operations = STEPS.flatMap(([, ids]) => ids);
    for (const id of operations) expect(OPERATIONS).toHaveProperty(id);
    expect(new Set(operations).size).toBe(operations.length);
    expect(STEPS.map(([name]) => name).toSorted()).toEqual(Object.keys(TEXTS.steps).toSorted());
  });

  it('has the steps that are open to the client; one of several operations is enough', () => {
    expect(stepsOf({ operations: [
      { operation: 'show-limits', first_at: FIRST, last_at: FIRST },
      { operation: 'start-device-tracking', first_at: LATER, last_at: LATER },
      { operation: 'start-device-tracking-by-entity', first_at: FIRST, last_at: LATER },
      { operation: 'issue-token' },
    ] })).toEqual([{ name: 'token', firstAt: undefined }, { name: 'start', firstAt: FIRST }]);
  });
});
