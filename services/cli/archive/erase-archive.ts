import type { ArchiveEraser, ParquetRewriter } from '../../kernel/archive.ts';
import type { NamedDriver } from '../../kernel/driver-eraser.ts';
import type { FileStore } from '../../kernel/file-store.ts';
import {
  readCatalog, whileLocked, writeCatalog, type ArchivedFile, type ArchiveCatalog,
} from './catalog.ts';
import { ARCHIVED_VIEWS } from './views.ts';

/** What erasing from the archive takes. */
export interface ErasePorts {
  readonly files: FileStore;
  readonly rewriter: ParquetRewriter;
  readonly nowMs: () => number;
}

type Parameters = Readonly<Record<string, string>>;

const DRIVER = ['client_id', 'provider', 'external_type', 'external_id'] as const;
const UNTIL = "received_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')";

/**
 * Rewrites the files that may hold a device or a driver, without its rows. The catalog names the
 * new file before the old one goes, so that a run that is broken off can be repeated.
 */
export function createArchiveEraser({ files, rewriter, nowMs }: ErasePorts): ArchiveEraser {
  async function eachCatalog(
    has: readonly string[], work: (catalog: ArchiveCatalog) => Promise<number>,
  ): Promise<number> {
    return whileLocked(files, nowMs, async () => {
      let rows = 0;
      for (const { view } of ARCHIVED_VIEWS) {
        const catalog = await readCatalog(files, view.name);
        if (catalog !== undefined && hasColumns(catalog, has)) rows += await work(catalog);
      }
      return rows;
    });
  }

  async function eraseRows(
    catalog: ArchiveCatalog, isWanted: (file: ArchivedFile) => boolean, condition: string,
    parameters: Parameters,
  ): Promise<number> {
    let [now, gone] = [catalog, 0];
    for (const [day, archived] of Object.entries(catalog.days)) {
      for (const old of archived.files.filter(isWanted)) {
        const bytes = await files.read(old.file);
        if (bytes === undefined) throw new Error(`The archive misses ${old.file}.`);
        const left = await rewriter.without(bytes, catalog.columns, condition, parameters);
        if (left.rows === old.rows) continue;
        const version = (now.days[day]?.version ?? 0) + 1;
        const file = old.file.replace(/\/v\d+\//, `/v${version}/`);
        const digest = await files.write(file, onePiece(left.file));
        now = replaced(now, day, old, { ...old, file, rows: left.rows, ...digest }, version);
        await writeCatalog(files, now);
        await files.remove(old.file);
        gone += old.rows - left.rows;
      }
    }
    return gone;
  }

  return {
    eraseDevice: (deviceId, receivedUntilMs) => eachCatalog(['device_id'], (catalog) => {
      // Rows that are computed have no time of receipt; the next archive has them as they are then.
      const isReceived = hasColumns(catalog, ['received_at']);
      const condition = `device_id = {device:String}${isReceived ? ` AND ${UNTIL}` : ''}`;
      return eraseRows(
        catalog, (file) => catalog.key !== 'device_id' || covers(file, deviceId), condition,
        { device: deviceId, until: String(receivedUntilMs) },
      );
    }),

    eraseDriver: (driver, receivedUntilMs) => eachCatalog([...DRIVER, 'received_at'], (catalog) => (
      eraseRows(
        catalog, ({ provider }) => provider === undefined || provider === driver.provider,
        `${DRIVER.map((name) => `${name} = {${name}:String}`).join(' AND ')} AND ${UNTIL}`,
        { ...driver, until: String(receivedUntilMs) },
      )
    )),

    async driversOf(clientId, provider) {
      const found = new Map<string, NamedDriver>();
      for (const { view } of ARCHIVED_VIEWS) {
        const catalog = await readCatalog(files, view.name);
        if (catalog === undefined || !hasColumns(catalog, DRIVER)) continue;
        for (const file of Object.values(catalog.days).flatMap((day) => day.files)) {
          if (file.provider !== undefined && file.provider !== provider) continue;
          const bytes = await files.read(file.file);
          if (bytes === undefined) throw new Error(`The archive misses ${file.file}.`);
          const drivers = await rewriter.ask<NamedDriver>(bytes, catalog.columns,
            `SELECT DISTINCT ${DRIVER.map((name) => `toString(${name}) AS ${name}`).join(', ')}
             FROM given WHERE client_id = {client:String} AND provider = {provider:String}`,
            { client: clientId, provider });
          for (const driver of drivers) found.set(JSON.stringify(driver), driver);
        }
      }
      return [...found.values()];
    },
  };
}

function hasColumns({ columns }: ArchiveCatalog, names: readonly string[]): boolean {
  return names.every((wanted) => columns.some(({ name }) => name === wanted));
}

/** Keys are compared as ClickHouse compares text: byte by byte. */
function covers({ key_from, key_to }: ArchivedFile, key: string): boolean {
  const isBefore = (a: string, b: string): boolean => (
    Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0
  );
  return (key_from === undefined || !isBefore(key, key_from))
    && (key_to === undefined || isBefore(key, key_to));
}

/** The catalog with a file in place of an old one, in a new version of its day. */
function replaced(
  catalog: ArchiveCatalog, day: string, old: ArchivedFile, file: ArchivedFile, version: number,
): ArchiveCatalog {
  const before = catalog.days[day];
  if (before === undefined) return catalog;
  return {
    ...catalog,
    days: {
      ...catalog.days,
      [day]: {
        ...before, version, rows: before.rows - old.rows + file.rows,
        files: before.files.map((each) => (each.file === old.file ? file : each)),
      },
    },
  };
}

async function* onePiece(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
