import { WORKER_PROGRAMS, WORKERS } from '../../../services/workers/workers.ts';
import type { TidyRule } from './rule.ts';
import type { TidyFile } from './tree.ts';

const TABLE = 'services/workers/workers.ts';
const NAMES: ReadonlySet<string> = new Set([...WORKERS.map(({ id }) => id), ...WORKER_PROGRAMS]);

/** These files speak about the rule. */
const SPEAKERS = /^test\/unit\/tidy\//;

/** Texts in quotes, one after the other, as in a list or in a union of types. */
const LIST = /(?:(['"])[\w.-]+\1\s*[,|]\s*)+(['"])[\w.-]+\2/g;

/** Rules about workers: whoever needs a list of them makes it from the table. */
export const workerRules: readonly TidyRule[] = [
  { name: 'a-worker-is-named-in-one-file', offences: (files) => files.flatMap(listsIn) },
];

function listsIn({ path, text }: TidyFile): string[] {
  if (path === TABLE || !path.endsWith('.ts') || SPEAKERS.test(path)) return [];
  return [...text.matchAll(LIST)].flatMap(([list]) => {
    const named = [...list.matchAll(/['"]([\w.-]+)['"]/g)].map(([, name = '']) => name)
      .filter((name) => NAMES.has(name));
    return new Set(named).size < 2 ? [] : [`${path} lists ${named.join(', ')}: ask ${TABLE}`];
  });
}
