import type { FileStore } from '../../kernel/file-store.ts';
import type { ExportedColumn } from '../../kernel/view-export.ts';

/** A file of an archived day. */
export interface ArchivedFile {
  /** Its name below the archive. */
  readonly file: string;
  readonly provider?: string;
  /** Range of the key, as in an export. */
  readonly key_from?: string;
  readonly key_to?: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** A day of a view in the archive: the version that counts, and the files of it. */
export interface ArchivedDay {
  readonly version: number;
  readonly rows: number;
  /** What the tables said of the day when it was archived: another answer makes a new version. */
  readonly mark: string;
  readonly archived_at: string;
  readonly files: readonly ArchivedFile[];
}

/** What the archive holds of a view. Files that it does not name do not count. */
export interface ArchiveCatalog {
  readonly archive: 1;
  readonly view: string;
  readonly key: string;
  readonly columns: readonly ExportedColumn[];
  readonly days: Readonly<Record<string, ArchivedDay>>;
}

const LOCK = '_lock.json';
/** A run that ended without a word holds the lock no longer than this. */
const LOCK_MS_MAX = 6 * 3_600_000;

/** The name of the catalog of a view. */
export function catalogOf(view: string): string {
  return `${view}/_manifest.json`;
}

/** Reads the catalog of a view; undefined where nothing of it is archived. */
export async function readCatalog(
  files: FileStore, view: string,
): Promise<ArchiveCatalog | undefined> {
  const bytes = await files.read(catalogOf(view));
  return bytes === undefined ? undefined : JSON.parse(bytes.toString()) as ArchiveCatalog;
}

/** Writes the catalog; from now on what it names counts. */
export async function writeCatalog(files: FileStore, catalog: ArchiveCatalog): Promise<void> {
  await files.write(catalogOf(catalog.view), onePiece(`${JSON.stringify(catalog, undefined, 1)}\n`));
}

/** Does something with the archive while no other command changes it. */
export async function whileLocked<Answer>(
  files: FileStore, nowMs: () => number, work: () => Promise<Answer>,
): Promise<Answer> {
  const text = JSON.stringify({ since: new Date(nowMs()).toISOString(), process: process.pid });
  if (!await files.create(LOCK, text)) {
    const held = JSON.parse((await files.read(LOCK))?.toString() ?? '{}') as { since?: string };
    const since = Date.parse(held.since ?? '');
    if (!Number.isNaN(since) && nowMs() - since < LOCK_MS_MAX) {
      throw new Error(`Another command changes the archive since ${String(held.since)}: wait for it, or `
        + `remove ${LOCK} when it is gone.`);
    }
    await files.remove(LOCK);
    if (!await files.create(LOCK, text)) throw new Error('Another command changes the archive.');
  }
  try {
    return await work();
  } finally {
    await files.remove(LOCK);
  }
}

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text;
}
