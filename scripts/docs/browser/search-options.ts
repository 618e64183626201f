import type { Options } from 'minisearch';

/** One section of a page as the index knows it. */
export interface Indexed {
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** How the index is made and asked, the same on both sides. */
export const SEARCH_OPTIONS: Options<Indexed> = {
  fields: ['page', 'title', 'text'],
  storeFields: ['page', 'title'],
  searchOptions: {
    boost: { page: 3, title: 2 }, prefix: (term) => term.length > 2, combineWith: 'AND',
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
  },
};
