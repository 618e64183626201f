import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

// The scanner, which a test builds from its source and compares byte by byte; packed recordings;
// pictures.
const binary = /^(services\/(adapters\/scanner\/scanner\.wasm|provider\/tracks\/.*\.gz)|infra\/clickhouse\/time-zones\/.*\.gz|docs\/images\/[^/]*\.png)$/;

/** One file of the tree, as every tidy rule sees it. */
export interface TidyFile {
  readonly path: string;
  readonly bytes: Buffer;
  /** Empty for a file that holds no text. */
  readonly text: string;
}

/** The files git tracks; in a copy without git, everything but what .gitignore leaves out. */
export function readTree(root: string): TidyFile[] {
  const paths = existsSync(join(root, '.git')) ? trackedPaths(root) : walkedPaths(root, '');
  return paths
    .filter((path) => existsSync(join(root, path)))
    .map((path) => tidyFile(path, readFileSync(join(root, path))));
}

/** A file from its bytes; rules' own tests build their bad samples with it. */
export function tidyFile(path: string, bytes: Buffer | string): TidyFile {
  const buffer = Buffer.from(bytes);
  return { path, bytes: buffer, text: isBinary(path) ? '' : buffer.toString('utf8') };
}

/** True for the few files that hold no text. */
export function isBinary(path: string): boolean {
  return binary.test(path);
}

function trackedPaths(root: string): string[] {
  const args = ['-c', `safe.directory=${root}`, 'ls-files', '-z'];
  const listing = execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  return listing.split('\0').filter((path) => path !== '');
}

const ignoredNames = new Set(['node_modules', '.rastro', 'coverage', '.git']);

function walkedPaths(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (ignoredNames.has(entry.name) || entry.name.endsWith('.log')) return [];
    return entry.isDirectory() ? walkedPaths(root, path) : [path];
  });
}
