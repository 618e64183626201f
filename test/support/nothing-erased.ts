import type { SkipErased } from '../../services/workers/table-writer/skip-erased.ts';

/** For table writers of tests in which nothing was erased. */
export const nothingErased: SkipErased = {
  begin: async () => undefined, poll: async () => undefined, left: (record) => record,
};
