import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Pieces of a file, as text or as bytes. */
export type Chunks = AsyncIterable<string | Uint8Array>;

/**
 * Writes pieces to a file, or to standard output without one, as fast as they are taken. A file
 * appears under its name only when it is whole.
 */
export async function writeStream(file: string | undefined, chunks: Chunks): Promise<void> {
  if (file === undefined) {
    for await (const chunk of chunks) {
      if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
    }
    return;
  }
  const part = `${file}.part`;
  try {
    await pipeline(Readable.from(chunks, { objectMode: false }), createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
