import type { FileStore } from '../../kernel/file-store.ts';
import type { ExportedView, ExportQuestion, ExportSlice, ViewExport } from '../../kernel/view-export.ts';
import { readCatalog, writeCatalog, type ArchivedDay, type ArchivedFile, type ArchiveCatalog } from './catalog.ts';

/** What archiving takes. */
export interface ArchivePorts {
  readonly history: ViewExport;
  readonly files: FileStore;
  readonly report: (line: string) => void;
  readonly nowMs: () => number;
}

/** The result of a run for the days of a view. */
export interface ViewArchived {
  readonly view: string;
  readonly archived: readonly string[];
  readonly unchanged: number;
  /** Days of which the tables hold fewer rows than the archive: these are kept as they are. */
  readonly fewer: readonly string[];
  readonly rows: number;
}

/** A view that is archived, and in SQL what changes with anything that came for a day. */
export interface ArchivedView {
  readonly view: ExportedView;
  readonly mark: string;
  /** The view has rows of no day on which this one has none, and this one is read faster. */
  readonly source: ExportedView;
}

/** Days of a view, oldest first, as the first second of each. */
export interface Days {
  readonly days: readonly number[];
  readonly acceptsFewer: boolean;
}

const DAY_S = 86_400;
/** So many days are asked at once which of them have rows. */
const DAYS_AT_ONCE = 31;

/**
 * Archives the days that are not in the archive, and those that changed since. A day counts once
 * its files are written and the catalog names them; the files of its version before go after that.
 */
export async function archiveView(
  { view, mark, source }: ArchivedView, { days, acceptsFewer }: Days, ports: ArchivePorts,
): Promise<ViewArchived> {
  const { files, history, report } = ports;
  const columns = await history.columns(questionOf(view, days[0] ?? 0));
  let catalog: ArchiveCatalog = await readCatalog(files, view.name)
    ?? { archive: 1, view: view.name, key: view.key, columns, days: {} };
  const end = { archived: [] as string[], fewer: [] as string[], unchanged: 0, rows: 0 };
  const withRows = await daysWithRows(source, days, history);
  for (const fromS of days) {
    const day = dayOf(fromS);
    const before = catalog.days[day];
    if (before === undefined && !withRows.has(day)) {
      end.unchanged += 1;
      continue;
    }
    const question = questionOf(view, fromS);
    const now = await history.mark(question, mark);
    if (before?.mark === now.mark || (before === undefined && now.rows === 0)) {
      end.unchanged += 1;
      continue;
    }
    if (before !== undefined && now.rows < before.rows && !acceptsFewer) {
      end.fewer.push(day);
      continue;
    }
    const archived = await archiveDay(question, day, (before?.version ?? 0) + 1, now.mark, ports);
    catalog = { ...catalog, columns, days: { ...catalog.days, [day]: archived } };
    await writeCatalog(files, catalog);
    for (const { file } of before?.files ?? []) await files.remove(file);
    end.archived.push(day);
    end.rows += archived.rows;
    report(`${view.name} ${day}: version ${archived.version}, ${archived.rows} rows`);
  }
  return { view: view.name, ...end };
}

/** Most of 395 days have no rows in a young deployment; to compare each took minutes. */
async function daysWithRows(
  view: ExportedView, days: readonly number[], history: Pick<ViewExport, 'days'>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let at = 0; at < days.length; at += DAYS_AT_ONCE) {
    const fromS = days[at] ?? 0;
    const toS = (days[Math.min(at + DAYS_AT_ONCE, days.length) - 1] ?? fromS) + DAY_S;
    const question = { ...questionOf(view, fromS), window: { fromS, toS } };
    for (const day of await history.days(question)) found.add(day);
  }
  return found;
}

function dayOf(fromS: number): string {
  return new Date(fromS * 1_000).toISOString().slice(0, 10);
}

async function archiveDay(
  question: ExportQuestion, day: string, version: number, mark: string,
  { history, files, nowMs }: ArchivePorts,
): Promise<ArchivedDay> {
  const written: ArchivedFile[] = [];
  const columns = await history.columns(question);
  const isByProvider = columns.some(({ name }) => name === 'provider');
  for (const [n, slice] of (await history.slices(question, isByProvider)).entries()) {
    const { rows, chunks } = await history.bytes(question, slice, 'parquet');
    const file = `${question.view.name}/${day}/v${version}/${nameOf(slice)}${n}.parquet`;
    written.push({ file, ...rangeOf(slice), rows, ...await files.write(file, chunks) });
  }
  return {
    version, rows: written.reduce((sum, { rows }) => sum + rows, 0), mark,
    archived_at: new Date(nowMs()).toISOString(), files: written,
  };
}

function nameOf({ provider }: ExportSlice): string {
  return provider === undefined ? '' : `${encodeURIComponent(provider) || '-'}.`;
}

function rangeOf(
  { provider, keyFrom, keyTo }: ExportSlice,
): Pick<ArchivedFile, 'provider' | 'key_from' | 'key_to'> {
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(keyFrom === undefined ? {} : { key_from: keyFrom }),
    ...(keyTo === undefined ? {} : { key_to: keyTo }),
  };
}

function questionOf(view: ExportedView, fromS: number): ExportQuestion {
  return { view, window: { fromS, toS: fromS + DAY_S }, only: new Map(), isPlaced: false };
}
