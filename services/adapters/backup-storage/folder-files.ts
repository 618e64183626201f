import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileDigest, FileStore } from '../../kernel/file-store.ts';

/** Files in a folder of this machine, which is made when something is written. */
export function createFolderFiles(folder: string): FileStore {
  return {
    read: (name) => ifThere(readFile(join(folder, name))),

    async write(name, chunks) {
      const file = join(folder, name);
      const part = `${file}.part`;
      await mkdir(dirname(file), { recursive: true });
      const hash = createHash('sha256');
      const seen = { bytes: 0 };
      try {
        await pipeline(
          Readable.from(counted(chunks, hash, seen), { objectMode: false }),
          createWriteStream(part),
        );
        await rename(part, file);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
      return { bytes: seen.bytes, sha256: hash.digest('hex') };
    },

    async create(name, text) {
      const file = join(folder, name);
      await mkdir(dirname(file), { recursive: true });
      try {
        await writeFile(file, text, { flag: 'wx' });
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      }
    },

    digest: (name) => ifThere(digestOf(join(folder, name))),
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

async function* counted(
  chunks: AsyncIterable<string | Uint8Array>, hash: Hash, seen: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    hash.update(bytes);
    seen.bytes += bytes.length;
    yield bytes;
  }
}

async function digestOf(file: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function ifThere<Answer>(work: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
