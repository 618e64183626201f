import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Larger files are packages: name and size say which. */
const READ_BYTES_MAX = 1_000_000;

/** A hash of all files below a folder and of whatever else decides what is built from them. */
export function contentOf(folder: string, ...beside: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(beside));
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const path = join(folder, entry);
    const { size, mode } = statSync(path);
    if (!statSync(path).isFile()) continue;
    hash.update(`${entry} ${size} ${mode} `);
    if (size <= READ_BYTES_MAX) hash.update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 16);
}
