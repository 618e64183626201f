import type { JsonSchema } from './client.ts';

/**
 * A value without the members that a schema does not know and forbids: what a newer release
 * wrote, as an older one reads it. Members of any branch of a choice are known.
 */
export function ownForm(schema: JsonSchema, value: unknown): unknown {
  const branches = branchesOf(schema);
  if (Array.isArray(value)) {
    const items = branches.map((branch) => branch['items']).find(isSchema);
    return items === undefined ? value : value.map((item) => ownForm(items, item));
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = new Map<string, unknown>(branches.flatMap(({ properties }) => (
    isSchema(properties) ? Object.entries(properties) : []
  )));
  const isClosed = branches.some((branch) => branch['additionalProperties'] === false);
  return Object.fromEntries(Object.entries(value)
    .filter(([name]) => !isClosed || members.has(name))
    .map(([name, member]) => {
      const own = members.get(name);
      return [name, isSchema(own) ? ownForm(own, member) : member];
    }));
}

function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  const chosen = ['oneOf', 'anyOf', 'allOf'].flatMap((word) => {
    const list = schema[word];
    return Array.isArray(list) ? list.filter(isSchema) : [];
  });
  return [schema, ...chosen.flatMap(branchesOf)];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
