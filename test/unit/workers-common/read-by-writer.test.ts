import { describe, expect, it } from 'vitest';
import type { LogHandler, LogRecord } from '../../../services/kernel/record-log.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { commitOffsets, type ConsumedRecord } from '../../../services/workers/common/outcomes.ts';
import {
  readByWriter, type WriterSchemas,
} from '../../../services/workers/common/read-by-writer.ts';

const OWN = 1;
const NEWER = 2;
const UNKNOWN = 3;
const AWAY = 4;

function record(offset: number, schemaId: number, partition = 0): LogRecord {
  return {
    topic: 't', topicId: 'id', partition, offset: BigInt(offset), key: 'k', schemaId,
    value: Buffer.from(`${offset}`), headers: {}, timestampMs: 0,
  };
}

const schemas: WriterSchemas = {
  isOwn: (_topic, schemaId) => schemaId === OWN,
  read: async (found) => {
    if (found.schemaId === AWAY) {
      throw new Unavailable('registry_unavailable', 'consume', 'the registry is away');
    }
    return found.schemaId === UNKNOWN
      ? { ok: false, code: 'schema_unknown', faults: [] }
      : { ok: true, record: { ...found, value: Buffer.from('in our form') } };
  },
};

function worker(doneBelow = Infinity) {
  const seen: ConsumedRecord[] = [];
  const refused: string[] = [];
  const handler: LogHandler = {
    onAssigned: async () => undefined,
    onRevoked: async () => undefined,
    onRecords: async (records) => {
      seen.push(...records);
      return commitOffsets(records.filter(({ offset }) => Number(offset) < doneBelow));
    },
  };
  const reading = readByWriter(handler, schemas, {
    write: async ({ offset }, stage, code, detail) => {
      refused.push(`${offset} ${stage} ${code} ${detail}`);
    },
  });
  const texts = (): readonly string[] => seen.map((found) => (
    'value' in found ? found.value.toString() : 'undecodable'
  ));
  return { reading, seen, refused, texts };
}

describe('a worker behind the schemas of writers', () => {
  it('gets records of its own schema as they are, the very same list', async () => {
    const { reading, texts } = worker();
    await reading.onRecords([record(0, OWN), record(1, OWN)]);
    expect(texts()).toEqual(['0', '1']);
  });

  it('gets records of another release in its own form, in their order', async () => {
    const { reading, texts } = worker();
    const next = await reading.onRecords([record(0, OWN), record(1, NEWER), record(2, OWN)]);
    expect(texts()).toEqual(['0', 'in our form', '2']);
    expect(next).toEqual([{ topic: 't', partition: 0, nextOffset: 3n }]);
  });

  it('never gets a record of an unknown schema: a dead letter, and the way goes on', async () => {
    const { reading, texts, refused } = worker();
    const next = await reading.onRecords([
      record(0, OWN), record(1, UNKNOWN), record(7, UNKNOWN, 1),
    ]);
    expect(texts()).toEqual(['0']);
    expect(refused).toEqual([
      '1 consume schema_unknown schema 3', '7 consume schema_unknown schema 3',
    ]);
    expect(next).toEqual([
      { topic: 't', partition: 0, nextOffset: 2n }, { topic: 't', partition: 1, nextOffset: 8n },
    ]);
  });

  it('commits no dead letter before what is still open in its partition', async () => {
    const { reading } = worker(1);
    const next = await reading.onRecords([
      record(0, OWN), record(1, OWN), record(2, UNKNOWN), record(3, OWN),
    ]);
    expect(next).toEqual([{ topic: 't', partition: 0, nextOffset: 1n }]);
  });

  it('waits with its batch while the registry is away, and writes no dead letter', async () => {
    const { reading, seen, refused } = worker();
    await expect(reading.onRecords([record(0, OWN), record(1, AWAY)]))
      .rejects.toBeInstanceOf(Unavailable);
    expect([seen, refused]).toEqual([[], []]);
  });
});
