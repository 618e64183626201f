import { pointerStep } from '../../kernel/json-duplicates.ts';
import { isFields } from '../../kernel/json-fields.ts';
import { nearName } from '../../kernel/near-name.ts';
import type { NameTree } from '../../kernel/warnings.ts';
import type { Warn } from './collect.ts';

/** Names that many objects have: one of them elsewhere says nothing. */
const COMMON: ReadonlySet<string> = new Set([
  'id', 'name', 'type', 'value', 'code', 'status', 'date', 'reason', 'description', 'details',
]);
const SHOWN_CHARACTERS_MAX = 40;
/** Comparing a name with all that are known takes some 0.1 ms, and a body may have 2,000 names. */
const NAMES_MAX = 64;

/** What is said of an unknown name of an object; undefined where it is near to nothing. */
type Saying = readonly [code: 'misspelt_field' | 'misplaced_field', message: string] | undefined;

/**
 * Unknown members that are near to a known one, or known in another object of the body. The first
 * 64 different ones are compared, so that no body holds the event loop.
 */
export function warnOfNames(body: unknown, root: NameTree, warn: Warn): void {
  const known = new Map<NameTree, Map<string, Saying>>();
  let compared = 0;

  function sayingOf(name: string, here: NameTree, around: readonly NameTree[]): Saying {
    const said = known.get(here) ?? new Map<string, Saying>();
    known.set(here, said);
    if (!said.has(name) && compared < NAMES_MAX) {
      compared += 1;
      said.set(name, explain(name, here, around));
    }
    return said.get(name);
  }

  function visit(
    value: unknown, here: NameTree, at: string, around: readonly NameTree[],
  ): void {
    if (Array.isArray(value)) {
      const { items } = here;
      if (items !== undefined) {
        value.forEach((item, nth) => { visit(item, items, `${at}/${nth}`, around); });
      }
      return;
    }
    const { members } = here;
    if (!isFields(value) || members === undefined) return;
    for (const [name, member] of Object.entries(value)) {
      const next = members.get(name);
      if (next !== undefined) {
        visit(member, next, `${at}/${name}`, [here, ...around]);
        continue;
      }
      const saying = sayingOf(name, here, around);
      if (saying !== undefined) warn(`${at}/${pointerStep(name)}`, ...saying);
    }
  }

  visit(body, root, '', []);
}

function explain(name: string, here: NameTree, around: readonly NameTree[]): Saying {
  if (name.length > SHOWN_CHARACTERS_MAX) return undefined;
  const inside = COMMON.has(name) ? undefined : pathTo(name, here);
  if (inside !== undefined) {
    return ['misplaced_field', `is no field here; it belongs into ${inside}.`];
  }
  if (!COMMON.has(name) && around.some(({ members }) => members?.has(name) === true)) {
    return ['misplaced_field', 'is no field here; it belongs into an object around this one.'];
  }
  const meant = nearName(name, here.members?.keys() ?? []);
  if (meant !== undefined) return ['misspelt_field', `is no field here: did you mean ${meant}?`];
  const below = nearestBelow(name, here);
  return below === undefined
    ? undefined : ['misplaced_field', `is no field here: did you mean ${below}?`];
}

/** The member below which this name is known, the nearest one. */
function pathTo(name: string, { members }: NameTree): string | undefined {
  let level = [...members ?? []].map(([path, tree]) => ({ path, tree }));
  while (level.length > 0) {
    const found = level.find(({ tree }) => (tree.items ?? tree).members?.has(name) === true);
    if (found !== undefined) return found.path;
    level = level.flatMap(({ path, tree }) => (
      [...(tree.items ?? tree).members ?? []].map(([next, inner]) => (
        { path: `${path}/${next}`, tree: inner }
      ))
    ));
  }
  return undefined;
}

/** Such as `vehicle_speed` or `Speed` beside `telemetry`: near to a name of a member's members. */
function nearestBelow(name: string, { members }: NameTree): string | undefined {
  for (const [path, tree] of members ?? []) {
    const own = [...tree.members?.keys() ?? []].filter((each) => !COMMON.has(each));
    const near = nearName(name, own);
    if (near !== undefined) return `${path}/${near}`;
  }
  return undefined;
}
