import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMarkdown, targetOf } from './addresses.ts';

/** What the site is made from, by path: pages of prose, and the files that they link to. */
export type Sources = ReadonlyMap<string, string>;

/** PNG pictures that pages show, by path. */
export type Pictures = ReadonlyMap<string, Buffer>;

const FRONT_PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'] as const;
/** What is larger than that is named by its folder and not shown. */
const SHOWN_BYTES_MAX = 1_000_000;

/** The pages that are there whether or not something links to them. */
export function startPages(root: string): readonly string[] {
  const below = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isMarkdown(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
  return [...FRONT_PAGES.filter((path) => existsSync(join(root, path))), ...below].toSorted();
}

/** Every page, and every file that one of them leads to. */
export function readSources(root: string): Sources {
  const sources = new Map<string, string>();
  const queue = [...startPages(root)];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (sources.has(path)) continue;
    const text = readText(root, path);
    if (text === undefined) continue;
    sources.set(path, text);
    if (isMarkdown(path)) queue.push(...linkedFrom(root, path, text));
  }
  return new Map([...sources].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Every picture that one of the pages shows and that is in the repository. */
export function readPictures(root: string, sources: Sources): Pictures {
  const paths = [...sources].filter(([path]) => isMarkdown(path)).flatMap(([path, text]) => (
    linkedFrom(root, path, text).filter((linked) => linked.endsWith('.png'))));
  return new Map([...new Set(paths)].toSorted()
    .filter((path) => isInside(root, path))
    .map((path) => [path, readFileSync(join(root, path))]));
}

/** Files that a page may link to; the links themselves are checked when the page is made. */
function linkedFrom(root: string, from: string, text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:|^\//i.test(link))
    .map((link) => targetOf(from, link))
    .filter((path) => !path.startsWith('..') && existsSync(join(root, path)))
    .flatMap((path) => (statSync(join(root, path)).isDirectory() ? filesIn(root, path) : [path]));
}

/** A folder is its README, or else a list of the files in it. */
function filesIn(root: string, folder: string): readonly string[] {
  if (existsSync(join(root, folder, 'README.md'))) return [join(folder, 'README.md')];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
}

/** The text of a file; `undefined` of what is no text, is too large, or leads out of here. */
function readText(root: string, path: string): string | undefined {
  if (!isInside(root, path)) return undefined;
  if (statSync(join(root, path)).size > SHOWN_BYTES_MAX) return undefined;
  const bytes = readFileSync(join(root, path));
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) && !text.includes('\0') ? text : undefined;
}

/** False of a path that a symbolic link leads out of the repository, or elsewhere in it. */
function isInside(root: string, path: string): boolean {
  return realpathSync(join(root, path)) === join(realpathSync(root), path);
}
