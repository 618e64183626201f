import { describe, expect, it } from 'vitest';
import {
  createTableWriterEnv, OF_EVENTS, post, posts, assignmentOf, startWorker, unreachable, unreadable,
} from './fixtures.ts';

describe('the ledger of what was read', () => {
  it('[GEN-07] has every record, good or bad, before a row of any is inserted', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned([...assignmentOf(0), { ...OF_EVENTS, partition: 0 }]);
    await worker.onRecords([
      post(0, 1, { headers: { ...post(0, 1).headers, n: '12' } }), unreadable(0, 2),
      post(0, 3, { value: Buffer.from('[]') }), post(0, 9, OF_EVENTS),
    ]);
    expect(env.ledger).toEqual([
      '0:1 locations 12', '0:2 locations 1', '0:3 locations 1', '0:9 telemetry_events 1',
      'inserted in_locations', 'inserted in_telemetry_events',
    ]);
    expect(env.deadLetters).toHaveLength(2);
  });

  it('holds values that no gateway writes to what its columns can keep', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned(assignmentOf(0));
    const headers = { 'received-at': '9999999999999999', n: '9007199254740991', client: '\0"' };
    expect(await worker.onRecords([post(0, 1, { headers })])).toHaveLength(1);
    expect(env.ledger[0]).toBe('0:1 locations 4294967295');
  });

  it('commits nothing while the ledger cannot be written', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned(assignmentOf(0));
    env.step = (name) => { if (name === 'before ledger') throw unreachable(); };
    await expect(worker.onRecords(posts(0, 1, 2))).rejects.toMatchObject({ retryable: true });
    expect(env.tables).toEqual([]);
  });
});
