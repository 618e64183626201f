import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const MODE_FOLDER = 0o700;
const MODE_FILE = 0o600;

/**
 * Writes a file that was not there, durably: content, then name, each synced. False when another
 * was faster; then that one is durable. No one ever sees half a file.
 */
export async function createFile(path: string, bytes: Uint8Array): Promise<boolean> {
  await createFolder(dirname(path));
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    const file = await open(draft, 'wx', MODE_FILE);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    return await linkNew(draft, path);
  } finally {
    await rm(draft, { force: true });
    await syncFolder(dirname(path));
  }
}

/** The content of a file, or undefined when there is none. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes a folder with all that is in it, durably; one that is not there is no error. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  try {
    await syncFolder(dirname(path));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

async function createFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: MODE_FOLDER });
  if (first === undefined) return;
  // The names of new folders are in their parents, up to the one that was there before.
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}

async function linkNew(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}
