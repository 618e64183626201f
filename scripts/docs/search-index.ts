import MiniSearch from 'minisearch';
import { addressOf } from './addresses.ts';
import { SEARCH_OPTIONS, type Indexed } from './browser/search-options.ts';
import type { ReadPage } from './read-page.ts';

/** Characters of a section that are indexed; beyond it are long tables of measured values. */
const TEXT_CHARACTERS_MAX = 20_000;

/** The index of all sections, as a text that the search of a page reads. */
export function searchIndex(pages: ReadonlyMap<string, ReadPage>): string {
  const index = new MiniSearch(SEARCH_OPTIONS);
  for (const [path, { title: page, sections }] of pages) {
    const address = addressOf(path);
    index.addAll(sections
      .filter(({ text, title }) => text.trim() !== '' || title !== '')
      .map(({ anchor, title, text }): Indexed => ({
        id: anchor === '' ? address : `${address}#${anchor}`, page, title,
        text: text.slice(0, TEXT_CHARACTERS_MAX),
      })));
  }
  return JSON.stringify(index);
}
