import type { FileStore } from '../../kernel/file-store.ts';
import type { ExportQuestion, ViewExport } from '../../kernel/view-export.ts';
import {
  isSame, planManifest, readManifest, withFile, writeManifest, type Manifest, type ManifestFile,
} from './manifest.ts';
import { startProgress, type ProgressPorts } from '../../kernel/progress.ts';
import { geometryOf, type JoinParts } from './to-file.ts';

/** What goes into a folder: a format whose files can be read together as one table. */
export interface FolderOptions {
  readonly question: ExportQuestion;
  readonly format: 'csv' | 'parquet' | 'geoparquet';
}

/** What an export into a folder takes. */
export interface FolderPorts extends ProgressPorts {
  readonly history: ViewExport;
  readonly files: FileStore;
  readonly join: JoinParts;
}

/** What was written, and how many files of an earlier run were kept. */
export interface FolderEnd {
  readonly manifest: Manifest;
  readonly kept: number;
}

/** A folder that holds another export. */
export class OtherExport extends Error {}

/**
 * Writes a file for each day, provider and range of keys. The plan goes into the manifest
 * first, so that a run after an interruption continues with the same ranges. It keeps the files
 * that are as the manifest says.
 */
export async function exportIntoFolder(
  options: FolderOptions, ports: FolderPorts,
): Promise<FolderEnd> {
  const { history, files, nowMs } = ports;
  let manifest = await manifestOf(options, ports);
  const rowsTotal = manifest.files.reduce((sum, { slice }) => sum + slice.rows, 0);
  const progress = startProgress(rowsTotal, ports);
  let kept = 0;
  for (const planned of manifest.files) {
    if (await isKept(files, planned)) {
      kept += 1;
      progress.add(planned.slice.rows);
      continue;
    }
    const file = await writeSlice({ history, files, join: ports.join }, options, planned, nowMs);
    manifest = withFile(manifest, file);
    await writeManifest(files, manifest);
    progress.add(file.slice.rows);
  }
  if (manifest.finished_at === undefined || kept < manifest.files.length) {
    manifest = { ...manifest, finished_at: new Date(nowMs()).toISOString() };
    await writeManifest(files, manifest);
  }
  return { manifest, kept };
}

/** The manifest of the folder, or a new one; throws when the folder holds another export. */
async function manifestOf(
  { question, format }: FolderOptions, { history, files, nowMs }: FolderPorts,
): Promise<Manifest> {
  const columns = await history.columns(question);
  const before = await readManifest(files);
  const isByProvider = columns.some(({ name }) => name === 'provider')
    && question.view.isWhole !== true;
  const asked = planManifest(question, format, columns, [], nowMs());
  if (before !== undefined) {
    if (isSame(before, asked)) return before;
    throw new OtherExport(`The folder holds ${before.view} as ${before.format}`
      + `${before.from === undefined ? '' : ` from ${before.from} to ${before.to ?? ''}`}, or other`
      + ' columns of it: name another folder, or remove this one.');
  }
  const slices = await history.slices(question, isByProvider);
  const manifest = planManifest(question, format, columns, slices, nowMs());
  await writeManifest(files, manifest);
  return manifest;
}

async function isKept(files: FileStore, { file, written }: ManifestFile): Promise<boolean> {
  if (written === undefined) return false;
  const found = await files.digest(file);
  return found?.sha256 === written.sha256 && found.bytes === written.bytes;
}

type SlicePorts = Pick<FolderPorts, 'history' | 'files' | 'join'>;

/** Writes one file as it was planned. */
export async function writeSlice(
  { history, files, join }: SlicePorts, { question, format }: FolderOptions,
  planned: ManifestFile, nowMs: () => number,
): Promise<ManifestFile> {
  const startedMs = nowMs();
  const { rows, sql, parameters, chunks } = await history.bytes(question, planned.slice, format);
  const geometry = format === 'geoparquet' ? geometryOf(question.view) : undefined;
  const digest = await files.write(
    planned.file, geometry === undefined ? chunks : join(onePart(chunks), geometry),
  );
  return {
    ...planned,
    written: {
      rows, ...digest, sql, parameters, at: new Date(nowMs()).toISOString(),
      took_ms: nowMs() - startedMs,
    },
  };
}

async function* onePart<Part>(part: Part): AsyncGenerator<Part> {
  yield part;
}
