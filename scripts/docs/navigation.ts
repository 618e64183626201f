import { posix } from 'node:path';
import { escaped } from '../../services/gateways/docs/html.ts';
import { addressOf, BASE, isMarkdown } from './addresses.ts';

/** Titles of all pages of prose by path, and the paths of all pages. */
export interface Contents {
  readonly titles: ReadonlyMap<string, string>;
  readonly paths: readonly string[];
}

/** Folders that every page names, in the order in which a reader meets them. */
const PARTS: readonly (readonly [folder: string, name: string])[] = [
  ['docs/tutorials/', 'Tutorials'], ['docs/how-to/', 'How-to'], ['docs/runbooks/', 'Runbooks'],
  ['docs/analysts/', 'For analysts'], ['docs/queries/', 'Queries'],
  ['docs/reference/', 'Reference'], ['docs/explanation/', 'Explanation'],
  ['docs/decisions/', 'Decisions'], ['docs/adr/', 'Records of decisions'],
];
const FIRST = ['README.md', 'docs/README.md', 'docs/interface.md', 'docs/glossary.md'] as const;

/** The list beside a page: the parts of the documentation, the page's own part opened. */
export function navigation(here: string, contents: Contents): string {
  const parts = PARTS.filter(([folder]) => contents.paths.some((path) => path.startsWith(folder)));
  return [
    '<ul>',
    ...FIRST.filter((path) => contents.titles.has(path)).map((path) => item(path, here, contents)),
    `<li><a href="${BASE}/api">The interface on one page</a></li>`,
    ...parts.map(([folder, name]) => {
      const isHere = here.startsWith(folder);
      const own = isHere ? contents.paths.filter((path) => isDirectly(path, folder)) : [];
      const link = `<a href="${escaped(addressOf(folder))}"${current(isHere && here === folder)}>`;
      const inside = own.map((path) => item(path, here, contents)).join('\n');
      return `<li>${link}${name}</a>${inside === '' ? '' : `\n<ul>${inside}</ul>`}</li>`;
    }),
    '</ul>',
  ].join('\n');
}

/** The folders above a page, each with its page. */
export function crumbs(here: string): string {
  const above: string[] = [];
  for (let folder = posix.dirname(here); folder !== '.'; folder = posix.dirname(folder)) {
    if (folder !== 'docs') above.unshift(folder);
  }
  const links = above.map((folder) =>
    `<a href="${escaped(addressOf(`${folder}/`))}">${escaped(posix.basename(folder))}</a> / `);
  return [`<a href="${BASE}/">Rastro</a> / `, ...links].join('');
}

/** What a folder without a README is called: as every page calls it, or by its path. */
export function folderName(folder: string): string {
  return PARTS.find(([path]) => path === folder)?.[1] ?? folder;
}

/** What is in a folder without a README, as HTML. */
export function folderList(folder: string, { paths, titles }: Contents): string {
  const below = paths.filter((path) => path !== folder && path.startsWith(folder));
  const direct = below.filter((path) => isDirectly(path, folder)
    || (path.endsWith('/') && isDirectly(path.slice(0, -1), folder)));
  const readmes = below.filter((path) => (
    /\/README\.md$/.test(path) && isDirectly(posix.dirname(path), folder)));
  const items = [...direct, ...readmes].map((path) => {
    const name = titles.get(path) ?? path.slice(folder.length);
    return `<li><a href="${escaped(addressOf(path))}">${escaped(name)}</a></li>`;
  });
  return `<h1>${escaped(folderName(folder))}</h1>\n<ul>${items.join('\n')}</ul>`;
}

function isDirectly(path: string, folder: string): boolean {
  const name = path.slice(folder.length);
  return path.startsWith(folder) && name !== '' && !name.includes('/') && name !== 'README.md'
    && (isMarkdown(path) || !folder.startsWith('docs/queries/'));
}

function item(path: string, here: string, { titles }: Contents): string {
  const name = escaped(titles.get(path) ?? posix.basename(path));
  return `<li><a href="${escaped(addressOf(path))}"${current(path === here)}>${name}</a></li>`;
}

function current(isCurrent: boolean): string {
  return isCurrent ? ' aria-current="page"' : '';
}
