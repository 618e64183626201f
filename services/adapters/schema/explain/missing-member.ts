import type { ErrorObject } from 'ajv/dist/2020.js';
import { maySpell } from '../../../kernel/near-name.ts';
import type { BundledSchema } from '../bundled-schema.ts';
import { isHolder, namesOf, stepOf, valueAt, type RefusedBody } from './refused-body.ts';
import { knownNames, listsOfSuch } from './known-names.ts';
import { listed, shapeOf } from './shape.ts';

/** Unknown names that are looked at, and characters of one that are shown. */
const UNKNOWN_MAX = 20;
const SHOWN_CHARACTERS_MAX = 40;
const SHOWN_MAX = 3;

/**
 * Says that a member is missing, what it must be, and what was sent in its path: the same under
 * another name, or at another path. `because` is the reason of a rule that does not always hold.
 */
export function missingMember(error: ErrorObject, because: string, body: RefusedBody): string {
  const { missingProperty: name } = error.params as { readonly missingProperty: string };
  const shape = shapeOf(error.parentSchema as BundledSchema, name);
  const path = namesOf(body.at + error.instancePath);
  const hint = elsewhere(name, path, body) ?? otherNames(error, name, shape !== '', body);
  return `is mandatory${because}${shape === '' ? '' : `: ${shape}`}${hint}`;
}

/** Names of the same object that the interface does not know and that may mean this one. */
function otherNames(
  error: ErrorObject, name: string, hasShape: boolean, { schema }: RefusedBody,
): string {
  const path = namesOf(error.instancePath);
  const lists = listsOfSuch(schema, path, error.data as object);
  if (lists.length > 0) return lists.includes(name) ? '; what was sent looks like one of its items' : '';
  const sent = Object.keys(error.data as object);
  const known = knownNames(schema, path);
  const meant = sent.filter((each) => !known.has(each)).slice(0, UNKNOWN_MAX)
    .filter((each) => each.length <= SHOWN_CHARACTERS_MAX && maySpell(each, name))
    .slice(0, SHOWN_MAX);
  const [first] = meant;
  if (first === undefined) return '';
  const isFlat = hasShape && meant.every((each) => each.startsWith(`${name}_`));
  const verb = meant.length === 1 ? 'is not a field here' : 'are no fields here';
  if (isFlat || meant.length > 1) return `; ${listed(meant, 'and')} ${verb}`;
  return `; rename ${first}, which ${verb}`;
}

/** The member of this name in an object around this one, or in one inside it. */
function elsewhere(
  name: string, path: readonly string[], { whole, schema, at }: RefusedBody,
): string | undefined {
  const isStray = (other: readonly string[]): boolean => {
    const holder = valueAt(whole, other);
    if (!isHolder(holder) || Array.isArray(holder) || !Object.hasOwn(holder, name)) return false;
    const inPart = other.slice(namesOf(at).length);
    return other.length < namesOf(at).length || !knownNames(schema, inPart).has(name);
  };
  const around = path.map((_, depth) => path.slice(0, depth)).toReversed();
  const found = [...around, ...inside(whole, path)].find(isStray);
  if (found === undefined) return undefined;
  return `; it is at ${[...found, name].map(stepOf).join('')}, and belongs here`;
}

/** The objects that this one holds, and the first one of each list. */
function inside(whole: unknown, path: readonly string[]): readonly (readonly string[])[] {
  const here = valueAt(whole, path);
  if (!isHolder(here)) return [];
  return Object.entries(here).slice(0, UNKNOWN_MAX).map(([name, value]) => (
    [...path, name, ...(Array.isArray(value) ? ['0'] : [])]
  ));
}
