import { isWrittenNumber } from '../../kernel/exact-json.ts';
import type { JsonSchema } from './client.ts';

/**
 * A value without the members that a schema does not know and forbids: what a newer release
 * wrote, as an older one reads it. Of a choice the branches count whose constants the value has.
 * The very same value where nothing must be left out.
 */
export function ownForm(schema: JsonSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isWrittenNumber(value)) return value;
  const branches = branchesOf(schema, value);
  if (Array.isArray(value)) {
    const items = branches.map((branch) => branch['items']).find(isSchema);
    if (items === undefined) return value;
    const own = value.map((item: unknown) => ownForm(items, item));
    return own.some((item, at) => item !== value[at]) ? own : value;
  }
  const members = new Map<string, unknown>(branches.flatMap(({ properties }) => (
    isSchema(properties) ? Object.entries(properties) : []
  )));
  const isClosed = branches.some((branch) => branch['additionalProperties'] === false);
  const all = Object.entries(value);
  const own = all.filter(([name]) => !isClosed || members.has(name))
    .map(([name, member]: [string, unknown]) => {
      const schemaOf = members.get(name);
      return [name, isSchema(schemaOf) ? ownForm(schemaOf, member) : member] as const;
    });
  const isSame = own.length === all.length
    && own.every(([, member], at) => member === all[at]?.[1]);
  return isSame ? value : Object.fromEntries(own);
}

/**
 * Whether ours knows every member that another schema names. What follows that schema then follows
 * ours too, since the registry takes no version that records before it would not follow.
 */
export function knowsMembersOf(own: JsonSchema, other: JsonSchema): boolean {
  const known = new Set(memberPaths(own, ''));
  return memberPaths(other, '').every((path) => known.has(path));
}

/** Every named member with the way to it; a branch of a choice is known by its constants. */
function memberPaths(schema: JsonSchema, at: string): readonly string[] {
  const { properties, items } = schema;
  const members = isSchema(properties) ? Object.entries(properties) : [];
  const constants = members.flatMap(([name, member]) => (
    isSchema(member) && member['const'] !== undefined ? [[name, member['const']]] : []
  ));
  const here = constants.length === 0 ? at : `${at}${JSON.stringify(constants)}`;
  return [
    ...members.flatMap(([name, member]) => {
      const path = `${here}/${name}`;
      return isSchema(member) ? [path, ...memberPaths(member, path)] : [path];
    }),
    ...isSchema(items) ? memberPaths(items, `${here}/*`) : [],
    ...choicesOf(schema).flatMap((branch) => memberPaths(branch, here)),
  ];
}

function branchesOf(schema: JsonSchema, value: object): readonly JsonSchema[] {
  const chosen = choicesOf(schema).filter((branch) => hasConstantsOf(branch, value));
  return [schema, ...chosen.flatMap((branch) => branchesOf(branch, value))];
}

function choicesOf(schema: JsonSchema): readonly JsonSchema[] {
  return ['oneOf', 'anyOf', 'allOf'].flatMap((word) => {
    const list = schema[word];
    return Array.isArray(list) ? list.filter(isSchema) : [];
  });
}

function hasConstantsOf({ properties }: JsonSchema, value: object): boolean {
  if (!isSchema(properties)) return true;
  return Object.entries(properties).every(([name, member]) => (
    !isSchema(member) || member['const'] === undefined
    || member['const'] === (value as JsonSchema)[name]
  ));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
