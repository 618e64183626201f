import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Offence } from './banned.ts';
import type { Piece } from './pieces.ts';

const LINTER = join(import.meta.dirname, 'lint-sentences.mjs');
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

/** What the linter of sentences says: too long, hidden actors, wrong articles, doubled words. */
export function hardSentencesIn(pieces: readonly Piece[]): readonly Offence[] {
  const input = JSON.stringify(pieces.filter(({ kind }) => kind === 'prose'));
  const run = spawnSync(process.execPath, [LINTER], {
    input, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX,
  });
  if (run.status !== 0) throw new Error(`the linter of sentences ended: ${run.stderr.slice(-400)}`);
  return JSON.parse(run.stdout) as Offence[];
}
