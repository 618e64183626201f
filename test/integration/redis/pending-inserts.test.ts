import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PendingInsert, PendingInserts } from '../../../services/kernel/row-sink.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';

const beyondNumbers = 2n ** 60n;
const batch: PendingInsert = {
  ranges: [
    { partition: 't:0', first: 5n, last: 9n },
    { partition: 't:1', first: beyondNumbers, last: beyondNumbers + 1n },
  ],
};

describe('Batches in flight in Redis', () => {
  let states: OpenedRedis;
  let pending: PendingInserts;
  beforeAll(async () => {
    states = await openRedisStates();
    pending = states.pendingInsertsOf('group');
  });
  afterAll(() => states.close());

  it('are found whole from each of their partitions, until they are cleared', async () => {
    expect(await pending.load([])).toEqual(new Map());
    expect(await pending.load(['t:0'])).toEqual(new Map());
    await pending.store(batch);
    expect(await pending.load(['t:1', 't:2'])).toEqual(new Map([['t:1', batch]]));
    expect(await states.pendingInsertsOf('other').load(['t:0'])).toEqual(new Map());
    await pending.clear(batch);
    expect(await pending.load(['t:0', 't:1'])).toEqual(new Map());
  });

  it('are not cleared where a newer batch took their place', async () => {
    await pending.store(batch);
    const newer: PendingInsert = { ranges: [{ partition: 't:0', first: 10n, last: 12n }] };
    await pending.store(newer);
    await pending.clear(batch);
    expect(await pending.load(['t:0', 't:1'])).toEqual(new Map([['t:0', newer]]));
  });
});
