import type { FileStore } from '../../kernel/file-store.ts';
import type { ExportedColumn, ExportQuestion, ExportSlice } from '../../kernel/view-export.ts';
import type { ExportFormat } from './views.ts';

/** A file of an export, planned or written. */
export interface ManifestFile {
  readonly file: string;
  /** Day of its rows, UTC; absent where the view has none. */
  readonly day?: string;
  readonly provider?: string;
  /** What is asked for, as it was planned. */
  readonly slice: ExportSlice;
  /** Absent until it is written. */
  readonly written?: {
    readonly rows: number;
    readonly bytes: number;
    readonly sha256: string;
    readonly sql: string;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly at: string;
    readonly took_ms: number;
  };
}

/** What is in the folder of an export, for readers and for going on after an interruption. */
export interface Manifest {
  readonly manifest: 1;
  readonly view: string;
  readonly format: ExportFormat;
  readonly from?: string;
  readonly to?: string;
  readonly only: Readonly<Record<string, readonly string[]>>;
  readonly columns: readonly ExportedColumn[];
  readonly started_at: string;
  /** Absent until every file is written. */
  readonly finished_at?: string;
  readonly rows: number;
  readonly bytes: number;
  readonly files: readonly ManifestFile[];
}

/** Readers of a folder of Parquet files leave out what begins with `_`. */
export const MANIFEST = '_manifest.json';

/** The manifest of a question of which nothing is written. */
export function planManifest(
  question: ExportQuestion, format: ExportFormat, columns: readonly ExportedColumn[],
  slices: readonly ExportSlice[], nowMs: number,
): Manifest {
  const { view, window, only } = question;
  const taken = new Map<string, number>();
  return {
    manifest: 1, view: view.name, format,
    ...(window === undefined ? {} : { from: instant(window.fromS), to: instant(window.toS) }),
    only: Object.fromEntries(only), columns, started_at: new Date(nowMs).toISOString(),
    rows: 0, bytes: 0, files: slices.map((slice) => planned(slice, view.name, format, taken)),
  };
}

function planned(
  slice: ExportSlice, view: string, format: ExportFormat, taken: Map<string, number>,
): ManifestFile {
  const { window, provider } = slice;
  const day = window === undefined ? undefined : instant(window.fromS).slice(0, 10);
  const stem = [
    day ?? view, ...(provider === undefined ? [] : [encodeURIComponent(provider) || '-']),
  ].join('.');
  const number = taken.get(stem) ?? 0;
  taken.set(stem, number + 1);
  return {
    file: `${stem}.${number}.${ENDINGS[format]}`,
    ...(day === undefined ? {} : { day }), ...(provider === undefined ? {} : { provider }), slice,
  };
}

const ENDINGS: Readonly<Record<ExportFormat, string>> = {
  csv: 'csv', parquet: 'parquet', geoparquet: 'parquet', geojson: 'geojson', gpx: 'gpx',
};

/** True when a manifest is of the same question, so that its export may go on. */
export function isSame(a: Manifest, b: Manifest): boolean {
  const asked = ({ view, format, from, to, only, columns }: Manifest): string => (
    JSON.stringify({ view, format, from, to, only, columns })
  );
  return asked(a) === asked(b);
}

/** The manifest with a file in place of the one of its name. */
export function withFile(manifest: Manifest, file: ManifestFile): Manifest {
  const files = manifest.files.map((each) => (each.file === file.file ? file : each));
  const sum = (of: 'rows' | 'bytes'): number => (
    files.reduce((total, { written }) => total + (written?.[of] ?? 0), 0)
  );
  return { ...manifest, files, rows: sum('rows'), bytes: sum('bytes') };
}

/** The manifest of a folder; undefined where there is none, or what is there is no manifest. */
export async function readManifest(files: FileStore): Promise<Manifest | undefined> {
  const text = (await files.read(MANIFEST))?.toString();
  if (text === undefined) return undefined;
  try {
    const manifest = JSON.parse(text) as Manifest | { readonly manifest?: unknown };
    return manifest.manifest === 1 ? manifest as Manifest : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the manifest over the one before. */
export async function writeManifest(files: FileStore, manifest: Manifest): Promise<void> {
  await files.write(MANIFEST, onePiece(`${JSON.stringify(manifest, undefined, 1)}\n`));
}

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text;
}

function instant(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;
}
