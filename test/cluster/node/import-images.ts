import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerRuntime } from './containerd.ts';

/** Images that an engine saved for a node. */
export interface SavedImages {
  /** By name, the id that the engine gave to what is in it. */
  readonly ids: Readonly<Record<string, string>>;
  /** An archive of those that the node had not yet; absent when it had all. */
  readonly archive?: string;
}

const IMPORT_MS_MAX = 3_600_000;

/** Takes an archive in, and writes down what the node has then. */
export async function importImages(
  { ctr }: ContainerRuntime, { ids, archive }: SavedImages, folder: string,
): Promise<void> {
  if (archive === undefined) return;
  await ctr(['images', 'import', archive], IMPORT_MS_MAX);
  writeFileSync(fileIn(folder), JSON.stringify({ ...importedIds(folder), ...ids }));
}

/** What a node of this folder has, by name. */
export function importedIds(folder: string): Readonly<Record<string, string>> {
  const file = fileIn(folder);
  if (!existsSync(file)) return {};
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
}

/** Names whose content another folder does not have as it is now. */
export function lackingOf(
  wanted: Readonly<Record<string, string>>, had: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(wanted).filter(([name, id]) => had[name] !== id).map(([name]) => name);
}

function fileIn(folder: string): string {
  return join(folder, 'imported.json');
}
