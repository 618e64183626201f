import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DOCUMENTED, faultsOfAnswer } from '../../support/documented-answers.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';
import { produceAnswer } from './produce-answers.ts';

/** The reference provider serves it; its answers are those of `unit/provider/commands`. */
const SERVED_ELSEWHERE = 'provider-command';

describe('every answer in the OpenAPI document', () => {
  let at: WholeEdge;
  beforeEach(async () => { at = await openWholeEdge(); });
  afterEach(() => at.close());

  const ours = DOCUMENTED.filter(({ id }) => id !== SERVED_ELSEWHERE);

  it('has calls that produce it', () => {
    expect(ours.length).toBeGreaterThan(100);
    const missing = ours.filter(({ id, status }) => produceAnswer(id, status) === undefined);
    expect(missing).toEqual([]);
  });

  it.each(ours.map(({ id, status }) => [id, status] as const))(
    '%s answers %i, and as the document says', async (id, status) => {
      at.admit(id);
      const response = await produceAnswer(id, status)?.(at, id);
      expect(response?.status).toBe(status);
      expect(await faultsOfAnswer(id, response as Response)).toEqual([]);
    },
  );
});
