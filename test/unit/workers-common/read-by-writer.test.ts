import { describe, expect, it } from 'vitest';
import { isDecoded, type LogHandler, type LogRecord } from '../../../services/kernel/record-log.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { commitOffsets, type ConsumedRecord } from '../../../services/workers/common/outcomes.ts';
import {
  readByWriter, readerByWriter, type WriterSchemas,
} from '../../../services/workers/common/read-by-writer.ts';
import { fakeLogReader } from '../../support/fake-log-reader.ts';
import { readRecord } from '../../support/read-record.ts';

const OWN = 1;
const NEWER = 2;
const UNKNOWN = 3;
const AWAY = 4;
const BROKEN = 5;

function record(offset: number, schemaId: number, partition = 0): LogRecord {
  return {
    topic: 't', topicId: 'id', partition, offset: BigInt(offset), key: 'k', schemaId,
    value: Buffer.from(`${offset}`), headers: { client: 'c' }, timestampMs: 0,
  };
}

function writerSchemas() {
  const asked: number[] = [];
  const schemas: WriterSchemas = {
    isOwn: (_topic, schemaId) => schemaId === OWN,
    read: async (found) => {
      asked.push(found.schemaId);
      if (found.schemaId === AWAY) {
        throw new Unavailable('registry_unavailable', 'consume', 'the registry is away');
      }
      if (found.schemaId === UNKNOWN) return { ok: false, code: 'schema_unknown', faults: [] };
      if (found.schemaId === BROKEN) return { ok: false, code: 'record_invalid', faults: ['/at'] };
      return { ok: true, record: { ...found, value: Buffer.from('in our form') } };
    },
  };
  return { schemas, asked };
}

function worker() {
  const batches: (readonly ConsumedRecord[])[] = [];
  const handler: LogHandler = {
    onAssigned: async () => undefined,
    onRevoked: async () => undefined,
    onRecords: async (records) => {
      batches.push(records);
      return commitOffsets(records);
    },
  };
  const { schemas, asked } = writerSchemas();
  return { reading: readByWriter(handler, schemas), batches, asked };
}

const textsOf = (records: readonly ConsumedRecord[] = []): readonly string[] => (
  records.map((found) => (isDecoded(found)
    ? found.value.toString() : `${found.refusal?.code ?? 'no frame'} ${found.refusal?.detail ?? ''}`))
);

describe('a worker behind the schemas of writers', () => {
  it('gets records of its own schema as they are, the very same list', async () => {
    const { reading, batches, asked } = worker();
    const records = [record(0, OWN), record(1, OWN)];
    await reading.onRecords(records);
    expect(batches[0]).toBe(records);
    expect(asked).toEqual([]);
  });

  it('[GEN-37] gets records of another release in its own form, in their order', async () => {
    const { reading, batches } = worker();
    const next = await reading.onRecords([record(0, OWN), record(1, NEWER), record(2, OWN)]);
    expect(textsOf(batches[0])).toEqual(['0', 'in our form', '2']);
    expect(next).toEqual([{ topic: 't', partition: 0, nextOffset: 3n }]);
  });

  it('[GEN-38] gets what no schema describes as a record that it cannot read, in its place', async () => {
    const { reading, batches } = worker();
    await reading.onRecords([
      record(0, OWN), record(1, UNKNOWN), record(2, BROKEN), record(3, OWN),
    ]);
    expect(textsOf(batches[0])).toEqual([
      '0', 'schema_unknown schema 3', 'record_invalid schema 5 /at', '3',
    ]);
    expect(batches[0]?.[1]).toMatchObject({
      offset: 1n, headers: { client: 'c' }, rawKey: Buffer.from('k'),
      rawValue: Buffer.from([0, 0, 0, 0, UNKNOWN, ...Buffer.from('1')]),
    });
  });

  it('asks once a batch for an id that the registry does not have, and again with the next', async () => {
    const { reading, asked } = worker();
    await reading.onRecords([record(0, UNKNOWN), record(1, UNKNOWN), record(2, UNKNOWN)]);
    expect(asked).toEqual([UNKNOWN]);
    await reading.onRecords([record(3, UNKNOWN)]);
    expect(asked).toEqual([UNKNOWN, UNKNOWN]);
  });

  it('[GEN-38] waits with its batch while the registry is away', async () => {
    const { reading, batches } = worker();
    await expect(reading.onRecords([record(0, OWN), record(1, AWAY)]))
      .rejects.toBeInstanceOf(Unavailable);
    expect(batches).toEqual([]);
  });

  it('names the code of the schema, not "no frame", for what it cannot read', async () => {
    const { reading, batches } = worker();
    await reading.onRecords([record(0, UNKNOWN)]);
    const [refused] = batches[0] ?? [];
    expect(refused === undefined ? undefined : readRecord('locations')(refused)).toEqual({
      ok: false,
      poison: { stage: 'consume', code: 'schema_unknown', detail: 'schema 3' },
    });
  });
});

describe('a reader of whole topics', () => {
  it('[GEN-37] gets records of every release in the form of its own', async () => {
    const found: ConsumedRecord[] = [];
    const reader = readerByWriter(
      fakeLogReader([record(0, OWN), record(1, NEWER), record(2, UNKNOWN)]),
      writerSchemas().schemas,
    );
    await reader.readToEnd(['t'], async (records) => { found.push(...records); });
    expect(textsOf(found)).toEqual(['0', 'in our form', 'schema_unknown schema 3']);
  });
});
