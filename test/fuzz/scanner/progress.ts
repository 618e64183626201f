import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The progress of a run. What it found holds for one seed and one subject. */
export interface FuzzProgress<Tally> {
  readonly seed: number;
  /** SHA-256 of what is tried, or of what it is tried with. */
  readonly subject: string;
  /** All chunks below this number are done. */
  readonly doneBelow: number;
  /** Chunks that are done beyond it. */
  readonly doneBeyond: readonly number[];
  readonly tally: Tally;
}

/** A run at its beginning. */
export function newProgress<Tally>(
  seed: number, of: Uint8Array | string, tally: Tally,
): FuzzProgress<Tally> {
  const subject = createHash('sha256').update(of).digest('hex');
  return { seed, subject, doneBelow: 0, doneBeyond: [], tally };
}

/** The run with one more chunk done, and the tally of both. */
export function withChunk<Tally>(
  progress: FuzzProgress<Tally>, chunk: number, tally: Tally,
): FuzzProgress<Tally> {
  const beyond = new Set([...progress.doneBeyond, chunk]);
  let { doneBelow } = progress;
  while (beyond.delete(doneBelow)) doneBelow += 1;
  return { ...progress, doneBelow, doneBeyond: [...beyond], tally };
}

/** The chunks that are left of so many, in order. */
export function* chunksLeft(progress: FuzzProgress<unknown>, chunks: number): Generator<number> {
  const beyond = new Set(progress.doneBeyond);
  for (let chunk = progress.doneBelow; chunk < chunks; chunk += 1) {
    if (!beyond.has(chunk)) yield chunk;
  }
}

/**
 * Reads the progress of the last run; undefined when it was of another seed or subject, or none.
 */
export function readProgress<Tally>(
  file: string, wanted: FuzzProgress<Tally>,
): FuzzProgress<Tally> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const found = JSON.parse(text) as FuzzProgress<Tally>;
  return found.seed === wanted.seed && found.subject === wanted.subject ? found : undefined;
}

/** Writes the progress of a run; a run that is killed while writing leaves the state before. */
export function writeProgress(file: string, progress: FuzzProgress<unknown>): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(progress));
  renameSync(`${file}.new`, file);
}
