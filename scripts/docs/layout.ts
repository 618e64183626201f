import { escaped } from '../../services/gateways/docs/html.ts';
import { BASE } from './addresses.ts';
import { crumbs, navigation, type Contents } from './navigation.ts';
import type { Section } from './read-page.ts';

/** Addresses of what every page loads; their names have a digest of their content. */
export interface PageAssets {
  readonly style: string;
  readonly search: string;
  readonly index: string;
  readonly icon: string;
}

/** What is put around the content of a page. */
export interface Framed {
  /** Path of the page in the repository. */
  readonly path: string;
  readonly title: string;
  readonly sections: readonly Section[];
  /** HTML already. */
  readonly content: string;
}

const LISTED_HEADINGS_MIN = 3;

/** A whole page: head, search, navigation, its headings, content. Nothing in it is a script. */
export function layOut(
  { path, title, sections, content }: Framed, contents: Contents, assets: PageAssets,
): string {
  const name = title === 'Rastro' ? 'Rastro' : `${title} · Rastro`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(name)}</title>`,
    `<link rel="stylesheet" href="${assets.style}">`,
    `<link rel="icon" type="image/svg+xml" href="${assets.icon}">`,
    `<script type="module" src="${assets.search}"></script></head><body>`,
    '<a class="skip" href="#content">To the content</a>',
    `<header><a class="home" href="${BASE}/">Rastro</a>`,
    `<form id="search" role="search" hidden data-index="${assets.index}">`,
    '<input type="search" placeholder="Search" aria-label="Search" autocomplete="off">',
    '<ol id="results" hidden aria-live="polite"></ol></form></header>',
    `<nav class="parts" aria-label="Documentation">${navigation(path, contents)}</nav>`,
    `<main id="content"><p class="crumbs">${crumbs(path)}<code>${escaped(path)}</code></p>`,
    headings(sections),
    content,
    '</main></body></html>\n',
  ].join('\n');
}

function headings(sections: readonly Section[]): string {
  const second = sections.filter(({ level }) => level === 2);
  if (second.length < LISTED_HEADINGS_MIN) return '';
  const items = second.map(({ anchor, title }) =>
    `<li><a href="#${escaped(anchor)}">${escaped(title)}</a></li>`);
  return `<details class="headings"><summary>On this page</summary><ul>${items.join('')}</ul></details>`;
}

/** The page for an address of the site that is none. */
export function notThere(contents: Contents, assets: PageAssets): string {
  return layOut({
    path: 'not-there', title: 'No such page', sections: [],
    content: `<h1>No such page</h1><p><a href="${BASE}/contents">All pages</a></p>`,
  }, contents, assets);
}
