import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { assignmentOf, createTableWriterEnv, NOW_MS, OF_EVENTS, post, startWorker } from './fixtures.ts';

const RECEIVED_MS = NOW_MS - 2_000;
const ofDevice = (
  device: string, offset: number, receivedAtMs = RECEIVED_MS, over: object = {},
) => (
  post(0, offset, {
    key: device, headers: { ...post(0, 0).headers, 'received-at': String(receivedAtMs) }, ...over,
  })
);

/** A dead letter of a post of a device, as the log has it. */
const deadLetterOf = (device: string, offset: number) => post(0, offset, {
  topic: 'dead-letters.v1', topicId: 't3', key: device,
  value: Buffer.from(JSON.stringify({
    origin: {
      topic: 'rtt.locations.v1', topic_id: 't1', partition: 0, offset,
      key: Buffer.from(device).toString('base64'),
    },
    headers: { 'received-at': String(RECEIVED_MS) }, value: 'AAAA',
  })),
});

describe('a table writer', () => {
  it('[GEN-57] leaves out what was received from an erased device until then, and counts it', async () => {
    const env = createTableWriterEnv();
    env.erased = () => new Map([['gone', RECEIVED_MS]]);
    const worker = startWorker(env);
    await worker.onAssigned([...assignmentOf(0), { ...OF_EVENTS, partition: 0 }]);
    const offsets = await worker.onRecords([
      ofDevice('gone', 1), ofDevice('gone', 2, RECEIVED_MS + 1), ofDevice('stays', 3),
      ofDevice('gone', 4, RECEIVED_MS, OF_EVENTS), deadLetterOf('gone', 5), deadLetterOf('stays', 6),
    ]);
    expect([...env.rows.keys()]).toEqual(['0:2', '0:3', '0:6']);
    expect(env.ledger.filter((line) => !line.startsWith('inserted'))).toEqual([
      '0:1 erased 1', '0:2 locations 1', '0:3 locations 1', '0:4 erased 1', '0:5 erased 1',
      '0:6 dead_letters 1',
    ]);
    expect(offsets.map(({ nextOffset }) => nextOffset)).toEqual([4n, 5n, 7n]);
    expect(env.counted.filter((line) => line.includes('ignored'))).toHaveLength(3);
    expect(env.deadLetters).toEqual([]);
  });

  it('[GEN-57] learns of an erasure within seconds, and writes nothing while it cannot ask', async () => {
    const env = createTableWriterEnv();
    const worker = startWorker(env);
    await worker.onAssigned(assignmentOf(0));
    env.erased = () => new Map([['gone', RECEIVED_MS]]);
    await worker.onRecords([ofDevice('gone', 1)]);
    env.nowMs += 5_000;
    await worker.onRecords([ofDevice('gone', 2)]);
    expect([...env.rows.keys()]).toEqual(['0:1']);
    env.nowMs += 5_000;
    env.erased = () => { throw new Unavailable('log_unavailable', 'consume', 'as the test asked'); };
    await expect(worker.onRecords([ofDevice('stays', 3)])).rejects.toThrow(Unavailable);
    expect([...env.rows.keys()]).toEqual(['0:1']);
  });
});
