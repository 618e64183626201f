import { createRecordsBatch, Reader, readRecordsBatch } from '@platformatic/kafka';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeBatch } from '../../../services/adapters/kafka/clients/record-batch.ts';
import { framedValue, type FramedRecord } from '../../../services/adapters/kafka/frame.ts';

const PLACE = { producerId: 9_007_199_254_740_993n, producerEpoch: 3, sequence: 2_147_483_000 };
/** Where a batch says for which leader it is meant; clients do not know and say what they like. */
const LEADER_EPOCH = { start: 12, end: 16 };

const HOUR_MS = 3_600_000;
const AT_MS = 1_764_000_000_000;

const recordsAt = (
  timestampMs: fc.Arbitrary<number>,
): fc.Arbitrary<readonly FramedRecord[]> => fc.array(fc.record({
  key: fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  json: fc.uint8Array({ minLength: 1, maxLength: 20_000 }),
  schemaId: fc.nat(),
  headers: fc.dictionary(
    fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' }),
  ),
  bytes: fc.constant(0),
  timestampMs,
  isDense: fc.boolean(),
}), { minLength: 1, maxLength: 40 });

const anyTime = fc.integer({ min: 0, max: 4_102_444_800_000 });
const oneHour = fc.integer({ min: AT_MS, max: AT_MS + HOUR_MS });
const records = recordsAt(fc.oneof(anyTime, oneHour));

/** Up to here a batch is packed at once. */
const AT_ONCE_BYTES = 262_144;
const largeOrNone = fc.constantFrom<readonly FramedRecord[]>([], [{
  key: Buffer.from('large'), json: Buffer.alloc(AT_ONCE_BYTES + 1, 'large '), schemaId: 1,
  headers: {}, bytes: 0, timestampMs: AT_MS, isDense: false,
}]);

/** The same records in the words of a client library. */
function messagesOf(framed: readonly FramedRecord[]) {
  return framed.map((record) => ({
    topic: 't', partition: 0, key: record.key, value: framedValue(record),
    headers: new Map(Object.entries(record.headers).map(
      ([name, value]) => [Buffer.from(name), Buffer.from(value)],
    )),
    timestamp: BigInt(record.timestampMs),
  }));
}

describe('a batch of our own', () => {
  // The library writes times that are weeks apart wrongly: it takes their distance for 32 bits.
  it('is byte for byte what a client library writes of one hour', async () => {
    await fc.assert(fc.asyncProperty(recordsAt(oneHour), async (framed) => {
      const messages = messagesOf(framed);
      const { producerId, producerEpoch, sequence } = PLACE;
      const theirs = createRecordsBatch(messages, {
        producerId, producerEpoch,
        sequences: { getWithDefault: () => sequence } as never,
      }).buffer;
      const ours = await encodeBatch(framed, PLACE, false);
      for (const batch of [theirs, ours]) batch.fill(0, LEADER_EPOCH.start, LEADER_EPOCH.end);
      expect(ours.equals(theirs)).toBe(true);
    }), { numRuns: 100 });
  });

  it('holds the same records when it is packed, beside the event loop if it is large', async () => {
    await fc.assert(fc.asyncProperty(records, largeOrNone, async (some, large) => {
      const framed = [...some, ...large];
      const encoded = encodeBatch(framed, PLACE, true);
      const isLarge = framed.reduce((bytes, { json }) => bytes + json.length, 0) > AT_ONCE_BYTES;
      if (isLarge) expect(encoded).toBeInstanceOf(Promise);
      const read = readRecordsBatch(Reader.from(await encoded));
      expect(read).toMatchObject({
        magic: 2, attributes: 4, lastOffsetDelta: framed.length - 1,
        producerId: PLACE.producerId, producerEpoch: 3, firstSequence: PLACE.sequence,
      });
      expect(read.records.map(({ key, value, timestampDelta }) => (
        { key, value, timestampMs: Number(read.firstTimestamp + timestampDelta) }
      ))).toEqual(framed.map((record) => (
        { key: record.key, value: framedValue(record), timestampMs: record.timestampMs }
      )));
    }), { numRuns: 30 });
  });

  it('is the same bytes at every attempt', async () => {
    await fc.assert(fc.asyncProperty(records, largeOrNone, fc.boolean(), async (
      some, large, isPacked,
    ) => {
      const framed = [...some, ...large];
      const first = await encodeBatch(framed, PLACE, isPacked);
      expect(first.equals(await encodeBatch(framed, PLACE, isPacked))).toBe(true);
    }), { numRuns: 20 });
  });
});
