/** Writes what is generated below `infra/`, as `scripts/generate.ts` does after the schemas. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { infraFiles } from './files.ts';

/**
 * Brings the folders of generated files below `root` up to date and names what was not; with
 * `isCheck` it only names.
 */
export function generateInfra(root: string, isCheck: boolean): readonly string[] {
  const files = infraFiles();
  const folders = new Set(Object.keys(files).map((path) => dirname(path)));
  const stale = [...folders].flatMap((folder) => strangers(root, folder, files));
  const drifting = Object.entries(files)
    .filter(([path, text]) => textOf(join(root, path)) !== text)
    .map(([path]) => path);
  if (isCheck) return [...drifting, ...stale];
  for (const path of stale) rmSync(join(root, path));
  for (const path of drifting) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), files[path] ?? '');
  }
  return [...drifting, ...stale];
}

/** Files in a generated folder that nothing generates any more. */
function strangers(
  root: string, folder: string, files: Readonly<Record<string, string>>,
): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${folder}/${name}`)
    .filter((path) => !(path in files));
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
