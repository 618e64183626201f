import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  chunksLeft, newProgress, readProgress, withChunk, writeProgress, type FuzzProgress,
} from '../../fuzz/scanner/progress.ts';
import { addTallies, NO_CASES, type ScanTally } from '../../fuzz/scanner/tally.ts';

const BINARY = Buffer.from('a scanner');
const TEN = { ...NO_CASES, cases: 10, taken: 4 };

const withOneMore = (progress: FuzzProgress<ScanTally>, chunk: number): FuzzProgress<ScanTally> => (
  withChunk(progress, chunk, addTallies(progress.tally, TEN))
);

describe('the progress of a fuzzing run', () => {
  it('knows what is left when chunks end out of order', () => {
    let progress = newProgress(1, BINARY, NO_CASES);
    for (const chunk of [2, 0, 3]) progress = withOneMore(progress, chunk);
    expect(progress).toMatchObject({ doneBelow: 1, doneBeyond: [2, 3] });
    expect([...chunksLeft(progress, 6)]).toEqual([1, 4, 5]);
    progress = withOneMore(progress, 1);
    expect(progress).toMatchObject({ doneBelow: 4, doneBeyond: [] });
    expect(progress.tally).toMatchObject({ cases: 40, taken: 16 });
  });

  it('is read again by a run of the same seed and subject, and by no other', () => {
    const dir = mkdtempSync(join(tmpdir(), 'rastro-fuzz-'));
    try {
      const file = join(dir, 'state', 'progress.json');
      const begun = newProgress(7, BINARY, NO_CASES);
      expect(readProgress(file, begun)).toBeUndefined();
      const written = withOneMore(begun, 0);
      writeProgress(file, written);
      expect(readProgress(file, begun)).toEqual(written);
      expect(readProgress(file, newProgress(8, BINARY, NO_CASES))).toBeUndefined();
      expect(readProgress(file, newProgress(7, Buffer.from('another'), NO_CASES))).toBeUndefined();
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
