import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SITE_LIST, type SiteList } from '../../services/kernel/site.ts';
import type { Pictures, Sources } from './sources.ts';
import { digestOf } from './write-site.ts';

const TOOLS = ['@11ty/eleventy', 'beautiful-mermaid', 'minisearch', 'typescript'] as const;
const ROOT_DIR = join(import.meta.dirname, '..', '..');

/**
 * The digest of all that a site is made from: texts and pictures, the files that make it, and their
 * tools.
 */
export function sourcesDigest(sources: Sources, pictures: Pictures): string {
  const own = readdirSync(import.meta.dirname, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name)).toSorted()
    .map((path) => [path.slice(ROOT_DIR.length), readFileSync(path, 'utf8')]);
  const { devDependencies } = JSON.parse(
    readFileSync(join(ROOT_DIR, 'package.json'), 'utf8'),
  ) as { readonly devDependencies: Readonly<Record<string, string>> };
  return digestOf(JSON.stringify([
    ...sources, ...[...pictures].map(([path, bytes]) => [path, digestOf(bytes)]), ...own,
    ...TOOLS.map((name) => devDependencies[name]),
  ]));
}

/** The site that is in a folder, if one is. */
export function siteIn(folder: string): SiteList | undefined {
  const path = join(folder, SITE_LIST);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) as SiteList : undefined;
}
