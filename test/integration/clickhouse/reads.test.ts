import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isUnavailable } from '../../../services/kernel/unavailable.ts';
import { createHistory, type History } from './history.ts';

let history: History;
beforeAll(async () => { history = await createHistory(); });
afterAll(() => history.drop());

const HEAVY = 'SELECT length(groupArray(number)) AS n FROM numbers(10000000)';

describe('a statement that the store does not answer', () => {
  it.each([
    ['within its memory', `${HEAVY} SETTINGS max_memory_usage = 1000000`, '241'],
    ['in time', 'SELECT sleepEachRow(1) FROM numbers(3) SETTINGS max_execution_time = 1,'
      + ' max_block_size = 1', '159'],
    ['because a table is not there yet', 'SELECT 1 FROM not_made_yet', '60'],
  ])('%s is a fault that may pass', async (_why, sql, code) => {
    const refused = await history.admin.query(sql).catch((error: unknown) => error);
    expect(isUnavailable(refused) && [refused.code, refused.message])
      .toEqual(['sink_unavailable', expect.stringContaining(`code ${code} `)]);
  });

  it.each([
    ['a syntax of its own', 'SELEC 1'], ['a column that there is not', 'SELECT nothing FROM numbers(1)'],
    ['a function that there is not', 'SELECT noSuchFunction(1)'],
  ])('because it has %s is a defect', async (_what, sql) => {
    const refused = await history.admin.query(sql).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Error);
    expect(isUnavailable(refused)).toBe(false);
  });
});
