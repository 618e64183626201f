import { posix } from 'node:path';
import { digestOf } from './write-site.ts';

/** Below which path of a gateway the site is. */
export const BASE = '/docs';
/** Where files of the repository are that are not below `docs/`. */
const REPOSITORY = `${BASE}/repository`;
/** Pages with an address of their own. */
const SPECIAL: Readonly<Record<string, string>> = {
  'README.md': `${BASE}/`, 'docs/README.md': `${BASE}/contents`,
};

/** True for a path that becomes a page of prose; any other file is shown as it is. */
export function isMarkdown(path: string): boolean {
  return path.endsWith('.md');
}

/**
 * The address of a file or of a folder (which ends with `/`) of the repository. A README is the
 * page of its folder.
 */
export function addressOf(path: string): string {
  const special = SPECIAL[path];
  if (special !== undefined) return special;
  const page = isMarkdown(path) ? path.replace(/\.md$/, '').replace(/(^|\/)README$/, '$1') : path;
  return page.startsWith('docs/') ? `/${page}` : `${REPOSITORY}/${page}`;
}

/** The address of a picture, which changes with it. */
export function pictureAddressOf(path: string, bytes: Buffer): string {
  return `${BASE}/assets/${posix.basename(path, '.png')}.${digestOf(bytes).slice(0, 12)}.png`;
}

/** The file of the site that has an address; a folder has an `index.html`. */
export function fileOf(address: string): string {
  const below = address.slice(BASE.length + 1);
  return below === '' || below.endsWith('/') ? `${below}index.html` : `${below}.html`;
}

/** The path that a link of a page names, without a trailing `/`; `.` is the repository itself. */
export function targetOf(from: string, link: string): string {
  const path = posix.normalize(posix.join(posix.dirname(from), decodeURI(link)));
  return path.replace(/(.)\/$/, '$1');
}
