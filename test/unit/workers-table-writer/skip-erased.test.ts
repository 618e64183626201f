import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { byProvider, driverHash } from '../../../services/kernel/erased-drivers.ts';
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

const ANSWERS = { topic: 'rtt.deferred-events.v1', topicId: 't5' };

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
      ofDevice('77', 7, RECEIVED_MS, ANSWERS), ofDevice('78', 8, RECEIVED_MS, ANSWERS),
    ]);
    expect([...env.rows.keys()]).toEqual(['0:2', '0:3', '0:8', '0:6']);
    expect(env.ledger.filter((line) => !line.startsWith('inserted'))).toEqual([
      '0:1 erased 1', '0:2 locations 1', '0:3 locations 1', '0:4 erased 1', '0:7 erased 1',
      '0:8 deferred_events 1', '0:5 erased 1', '0:6 dead_letters 1',
    ]);
    expect(offsets.map(({ nextOffset }) => nextOffset)).toEqual([4n, 5n, 7n, 9n]);
    expect(env.counted.filter((line) => line.includes('ignored'))).toHaveLength(4);
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

  it('[GEN-62] leaves out what is about an erased driver, and keeps the rest as it was written', async () => {
    const salt = 'b'.repeat(32);
    const gone = { external_type: 'van|driver', external_id: 'ana|souza' };
    const env = createTableWriterEnv();
    env.erasedDrivers = byProvider([{
      client_id: '100000000000001', provider: 'acme', salt,
      driver_hash: driverHash(sha256, salt, gone), received_until_ms: RECEIVED_MS,
    }]);
    const stays = { external_type: 'van|driver', external_id: 'rui' };
    const key = 'acme|van|driver|ana|souza';
    const deliveries = (offset: number, text: string, over: object = {}) => ofDevice(
      key, offset, RECEIVED_MS,
      { topic: 'delivery.locations.v1', topicId: 't4', value: Buffer.from(text), ...over },
    );
    const texts: string[] = [];
    env.refuse = (_places, _token, lines) => {
      texts.push(...lines.map(String));
      return undefined;
    };
    const worker = startWorker(env);
    await worker.onAssigned([{ topic: 'delivery.locations.v1', topicId: 't4', partition: 0 }]);
    const located = (driver: object, latitude: string) => (
      `{"latitude":${latitude},"device":${JSON.stringify(driver)},"traceables":[{"id":"p","type":"t"}]}`
    );
    await worker.onRecords([
      deliveries(1, `{"device":${JSON.stringify(gone)},"locations":[{"latitude":1}]}`),
      deliveries(2, `{"locations":[${located(gone, '1.0')},${located(stays, '2.50')}]}`),
      deliveries(3, `{"device":${JSON.stringify(stays)},"locations":[{"latitude":3}]}`),
      { ...deadLetterOf(key, 4), value: Buffer.from(JSON.stringify({
        origin: { topic: 'delivery.locations.v1', key: Buffer.from(key).toString('base64') },
        headers: {
          'received-at': String(RECEIVED_MS), client: '100000000000001', provider: 'acme',
        },
      })) },
    ]);
    expect([...env.rows.keys()]).toEqual(['0:2', '0:3']);
    expect(texts[0]).toContain(`"locations":[${located(stays, '2.50')}]`);
    // The key in front of it goes into no table.
    expect(texts.map((text) => text.slice(text.indexOf('"locations"'))).join()).not.toContain('souza');
    expect(env.ledger.filter((line) => !line.startsWith('inserted'))).toEqual([
      '0:1 erased 1', '0:2 erased 1', '0:3 delivery_locations 1', '0:4 erased 1',
    ]);
    expect(env.ledgerKeys).toEqual(['', '', key, key]);
  });
});
