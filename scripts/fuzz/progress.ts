import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { addTallies, NO_CASES, type Tally } from './tally.ts';

/** How far a run is. What it found holds for one seed and one binary of the scanner. */
export interface Progress {
  readonly seed: number;
  /** SHA-256 of the binary. */
  readonly scanner: string;
  /** All chunks below this number are done. */
  readonly doneBelow: number;
  /** Chunks that are done beyond it. */
  readonly doneBeyond: readonly number[];
  readonly tally: Tally;
}

/** A run at its beginning. */
export function newProgress(seed: number, binary: Uint8Array): Progress {
  const scanner = createHash('sha256').update(binary).digest('hex');
  return { seed, scanner, doneBelow: 0, doneBeyond: [], tally: NO_CASES };
}

/** The run with one more chunk done. */
export function withChunk(progress: Progress, chunk: number, tally: Tally): Progress {
  const beyond = new Set([...progress.doneBeyond, chunk]);
  let { doneBelow } = progress;
  while (beyond.delete(doneBelow)) doneBelow += 1;
  return {
    ...progress, doneBelow, doneBeyond: [...beyond], tally: addTallies(progress.tally, tally),
  };
}

/** The chunks that are left of so many, in order. */
export function* chunksLeft(progress: Progress, chunks: number): Generator<number> {
  const beyond = new Set(progress.doneBeyond);
  for (let chunk = progress.doneBelow; chunk < chunks; chunk += 1) {
    if (!beyond.has(chunk)) yield chunk;
  }
}

/** Reads how far the last run was; undefined when it was of another seed or scanner, or none. */
export function readProgress(file: string, wanted: Progress): Progress | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const found = JSON.parse(text) as Progress;
  return found.seed === wanted.seed && found.scanner === wanted.scanner ? found : undefined;
}

/** Writes how far the run is; a run that is killed while writing leaves the state before. */
export function writeProgress(file: string, progress: Progress): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(progress));
  renameSync(`${file}.new`, file);
}
