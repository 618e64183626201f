import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { MapFile } from '../../kernel/pages.ts';
import { faultOfMap, MAP_HEAD_BYTES } from './map-header.ts';

/** A map file that is open until it is closed. */
export interface OpenMapFile extends MapFile {
  readonly close: () => Promise<void>;
}

/** How much of it is in memory for each caller. */
const PIECE_BYTES = 65_536;
/** A digest of so many parts, from the first to the last: of the whole it would take minutes. */
const DIGEST_PARTS = 64;

/**
 * Opens the file that a setting names. Throws one sentence where it cannot be read or is no map
 * that the console shows, so that a misspelt path is found at boot and not by who misses a map.
 */
export async function openMapFile(setting: string, path: string): Promise<OpenMapFile> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw new Error(`${setting} cannot be read: ${(error as Error).message}`, { cause: error });
  });
  try {
    return await described(setting, path, handle);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function described(
  setting: string, path: string, handle: FileHandle,
): Promise<OpenMapFile> {
  const { size, mtimeMs } = await handle.stat();
  const head = await partOf(handle, 0, Math.min(size, MAP_HEAD_BYTES)).catch((error: unknown) => {
    throw new Error(`${setting} cannot be read: ${(error as Error).message}`, { cause: error });
  });
  const fault = faultOfMap(head, size);
  if (fault !== undefined) throw new Error(`${setting}: ${path} ${fault}.`);
  return {
    bytes: size, digest: await digestOf(handle, size),
    async isSame() {
      const now = await handle.stat();
      return now.size === size && now.mtimeMs === mtimeMs;
    },
    async* read(from, bytes) {
      const end = from + bytes;
      for (let at = from; at < end; at += PIECE_BYTES) {
        yield await partOf(handle, at, Math.min(PIECE_BYTES, end - at));
      }
    },
    close: () => handle.close(),
  };
}

/** Of its size, its header with the root directory, and parts of the rest at equal distances. */
async function digestOf(handle: FileHandle, size: number): Promise<string> {
  const all = createHash('sha256').update(`${size}\0`);
  const length = Math.min(size, MAP_HEAD_BYTES);
  for (let part = 0; part < DIGEST_PARTS; part += 1) {
    const at = Math.floor((size - length) * part / (DIGEST_PARTS - 1));
    all.update(await partOf(handle, at, length));
  }
  return all.digest('hex').slice(0, 16);
}

/** Exactly so many bytes: what ends before them has been cut since it was opened. */
async function partOf(handle: FileHandle, from: number, bytes: number): Promise<Buffer> {
  const part = Buffer.allocUnsafe(bytes);
  for (let filled = 0; filled < bytes;) {
    const { bytesRead } = await handle.read(part, filled, bytes - filled, from + filled);
    if (bytesRead === 0) throw new Error('the map file ends before its end');
    filled += bytesRead;
  }
  return part;
}
