import type { Pages } from '../../kernel/pages.ts';

/** Several sets of pages as one; each address belongs to one of them at most. */
export function joinPages(sets: readonly Pages[]): Pages | undefined {
  const [only, another] = sets;
  if (another === undefined) return only;
  return {
    mayHave: (path) => sets.some((pages) => pages.mayHave(path)),
    find: async (call) => sets.find((pages) => pages.mayHave(call.path))?.find(call),
  };
}
