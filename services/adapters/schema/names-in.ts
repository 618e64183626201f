import { bundleOf, bundleTitles } from '../../../schemas/bundles.ts';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';

/** Where pointers to parameters begin. */
const PARTS = ['query', 'path', 'header', 'body'];

/** Every name of a member or a parameter that the interface gives: none is a text of a caller. */
export function namesOfInterface(): ReadonlySet<string> {
  const names = new Set<string>(PARTS);
  for (const { params } of Object.values(OPERATIONS)) for (const name of params) names.add(name);
  for (const title of bundleTitles()) addNames(bundleOf(title), names);
  return names;
}

function addNames(schema: unknown, names: Set<string>): void {
  if (schema === null || typeof schema !== 'object') return;
  for (const [word, value] of Object.entries(schema)) {
    if (word === 'properties') for (const name of Object.keys(value as object)) names.add(name);
    if (word !== 'enum' && word !== 'const' && word !== 'default') addNames(value, names);
  }
}
