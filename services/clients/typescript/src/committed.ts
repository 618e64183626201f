import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** The end of the last entry before which every entry has its answer. */
export interface Committed {
  readonly segment: number;
  readonly byte: number;
}

const NOTHING: Committed = { segment: 0, byte: 0 };

/** What is committed. A file that cannot be read commits nothing: all is sent again, none lost. */
export async function readCommitted(dir: string): Promise<Committed> {
  let text: string;
  try {
    text = await readFile(join(dir, 'committed'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NOTHING;
    throw error;
  }
  const [, line = '', segment, byte, sum] = /^((\d+) (\d+)) (\d+)\n$/.exec(text) ?? [];
  if (segment === undefined || Number(sum) !== crc32(line)) return NOTHING;
  return { segment: Number(segment), byte: Number(byte) };
}

/** Replaces the file in one step, so that a crash leaves the former or the new one. */
export async function writeCommitted(dir: string, { segment, byte }: Committed): Promise<void> {
  const line = `${segment} ${byte}`;
  const draft = join(dir, 'committed.draft');
  const file = await open(draft, 'w');
  try {
    await file.writeFile(`${line} ${crc32(line)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(draft, join(dir, 'committed'));
}
