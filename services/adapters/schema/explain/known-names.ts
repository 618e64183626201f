import type { BundledSchema } from '../bundled-schema.ts';
import { isHolder } from './refused-body.ts';

const BRANCHES = ['if', 'then', 'else'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];

/** Every name that a schema knows for a member at this path, whatever its branches are. */
export function knownNames(schema: BundledSchema, path: readonly string[]): ReadonlySet<string> {
  return new Set(membersAt(schema, path).map(([name]) => name));
}

/** The lists among the members at a path whose items have such members. */
export function listsOfSuch(
  schema: BundledSchema, path: readonly string[], value: object,
): readonly string[] {
  return membersAt(schema, path).flatMap(([name, { items }]) => {
    const required: unknown = isHolder(items) ? items['required'] : undefined;
    const isSuch = Array.isArray(required) && required.length > 1
      && required.every((each) => Object.hasOwn(value, String(each)));
    return isSuch ? [name] : [];
  });
}

function membersAt(
  schema: BundledSchema, path: readonly string[],
): readonly (readonly [string, BundledSchema])[] {
  const here = path.reduce<readonly BundledSchema[]>(
    (nodes, name) => nodes.flatMap(withBranches).flatMap((node) => below(node, name)), [schema],
  );
  return here.flatMap(withBranches).flatMap(({ properties }) => (
    isHolder(properties)
      ? Object.entries(properties as Readonly<Record<string, BundledSchema>>) : []
  ));
}

function below({ properties, items }: BundledSchema, name: string): readonly BundledSchema[] {
  const found = [isHolder(properties) ? properties[name] : undefined];
  if (/^\d+$/.test(name)) found.push(items);
  return found.filter(isHolder);
}

/** A schema and what it consists of, down to the last branch. */
export function withBranches(schema: BundledSchema): readonly BundledSchema[] {
  const parts = [
    ...BRANCHES.map((name) => schema[name]),
    ...LISTS.flatMap((name) => (Array.isArray(schema[name]) ? schema[name] as unknown[] : [])),
  ];
  return [schema, ...parts.filter(isHolder).flatMap(withBranches)];
}
