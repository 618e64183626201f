import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { dryRunOf, WRITING } from '../../support/dry-runs.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';
import { produceAnswer } from './produce-answers.ts';

describe('the dry run of every call that writes', () => {
  let at: WholeEdge;
  beforeEach(async () => { at = await openWholeEdge(); });
  afterEach(() => at.close());

  it('is that of all operations which append, and of no other', () => {
    const appending = Object.values(OPERATIONS).filter(({ appends }) => appends !== null)
      .map(({ id }) => id);
    expect([...WRITING].toSorted()).toEqual(appending.toSorted());
    expect(WRITING).toHaveLength(20);
  });

  it.each(WRITING)('of %s says that nothing was stored, and nothing was', async (id) => {
    const dry = dryRunOf(id);
    const known = (): string => JSON.stringify([at.log.appended, at.states.dump()]);
    const before: string[] = [];
    const watched: WholeEdge = {
      ...at,
      call(called, wishes) {
        if (called === dry) before.push(known());
        return at.call(called, wishes);
      },
    };
    at.admit(dry);
    const response = await produceAnswer(dry, 200)?.(watched, dry);
    expect(before.at(-1)).toBe(known());
    expect([response?.status, response?.headers.get('dry-run')]).toEqual([200, 'true']);
    expect(response?.headers.get('ingest-id')).toBeNull();
    expect(await response?.json()).toMatchObject({
      dry_run: true, stored: false, message: 'Dry run: nothing was stored.',
    });
  });

  it.each(WRITING)('of %s says with which status the call is answered next', async (id) => {
    const dry = dryRunOf(id);
    at.admit(dry);
    let tried: { call_status?: number } = {};
    // What leads to a success of the dry run makes the real call right behind it.
    const both: WholeEdge = {
      ...at,
      async call(called, wishes) {
        if (called !== dry) return at.call(called, wishes);
        tried = await (await at.call(dry, wishes)).json() as typeof tried;
        return at.call(id, wishes);
      },
    };
    const response = await produceAnswer(dry, 200)?.(both, dry);
    // One token a client is the burst of these tests; the dry run has taken it.
    const isLimited = id === 'issue-token' && response?.status === 429;
    expect(isLimited ? 200 : response?.status).toBe(tried.call_status);
  });
});
