import { describe, expect, it } from 'vitest';
import { murmur2, partitionOf } from '../../../services/adapters/kafka/murmur2.ts';

// From Kafka's own UtilsTest.
const JAVA: readonly (readonly [text: string, hash: number])[] = [
  ['21', -973_932_308],
  ['foobar', -790_332_482],
  ['a-little-bit-long-string', -985_981_536],
  ['a-little-bit-longer-string', -1_486_304_829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58_897_971],
  ['abc', 479_470_107],
];

describe('murmur2', () => {
  it.each(JAVA)('hashes %s as Java does', (text, hash) => {
    expect(murmur2(Buffer.from(text))).toBe(hash);
  });

  it.each(JAVA)('puts %s into the partition of Java, also for a negative hash', (text, hash) => {
    expect(partitionOf(Buffer.from(text), 12)).toBe((hash & 0x7fffffff) % 12);
  });
});
