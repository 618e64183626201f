import { describe, expect, it } from 'vitest';
import {
  isAtOrBefore, partOf, readOffsets, recordsBetween, writeOffsets, type FeedLayout,
} from '../../../services/domain/live/offsets.ts';

const layout = (idOfB = 'id-b'): FeedLayout => [
  { topic: 'a', topicId: 'id-a', partition: 0 },
  { topic: 'a', topicId: 'id-a', partition: 1 },
  { topic: 'b', topicId: idOfB, partition: 0 },
];

describe('a offsets in the log', () => {
  it.each([
    [[0, 0, 0]], [[127, 128, 129]], [[2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]],
  ])('is read as it was written: %j', (offsets) => {
    expect(readOffsets(layout(), writeOffsets(layout(), offsets))).toEqual({ offsets });
  });

  it('takes four bytes a topic and few for each partition', () => {
    expect(writeOffsets(layout(), [1, 200, 70_000])).toHaveLength(4 + 1 + 2 + 4 + 3);
  });

  it('is none of a topic that was made again under its name', () => {
    expect(readOffsets(layout('id-c'), writeOffsets(layout(), [1, 2, 3]))).toEqual({ not: 'remade' });
  });

  it('is none when it is cut, too long, or beyond what a number keeps', () => {
    const bytes = writeOffsets(layout(), [1, 2, 300]);
    const unreadable = { not: 'unreadable' };
    expect(readOffsets(layout(), bytes.slice(0, -1))).toEqual(unreadable);
    expect(readOffsets(layout(), bytes.slice(0, 2))).toEqual(unreadable);
    expect(readOffsets(layout(), Uint8Array.from([...bytes, 0]))).toEqual(unreadable);
    const endless = Uint8Array.from([...bytes.slice(0, -2), ...Array<number>(9).fill(255), 1]);
    expect(readOffsets(layout(), endless)).toEqual(unreadable);
  });

  it('is at or before another only when no partition is further', () => {
    expect(isAtOrBefore([1, 2, 3], [1, 2, 3])).toBe(true);
    expect(isAtOrBefore([1, 2, 3], [1, 2, 4])).toBe(true);
    expect(isAtOrBefore([2, 2, 3], [1, 2, 4])).toBe(false);
  });

  it('counts the records up to another, and none backwards', () => {
    expect(recordsBetween([1, 2, 3], [4, 1, 5])).toBe(3 + 2);
  });

  it('can be of some topics alone', () => {
    expect(partOf(layout(), [1, 2, 3], new Set(['b']))).toEqual({
      layout: [{ topic: 'b', topicId: 'id-b', partition: 0 }], offsets: [3],
    });
  });
});
