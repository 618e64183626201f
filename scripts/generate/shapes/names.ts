import { isJsonObject } from '../../../schemas/files.ts';
import type { JsonObject } from '../../../schemas/files.ts';

/** Where a document keeps its named schemas. */
export const PREFIX = '#/components/schemas/';

/** A name of the wire as the name of a type: `start_tracking` is `StartTracking`. */
export function pascal(name: string): string {
  return name.split(/[^A-Za-z0-9]+/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

/**
 * Schemas in which every object with members has a name, after its parent and its member. Without
 * one, each generator of clients makes up its own.
 */
export function withNames(schemas: JsonObject): JsonObject {
  const named: Record<string, unknown> = {};
  for (const [title, schema] of Object.entries(schemas)) {
    named[title] = isJsonObject(schema) ? membersNamed(schema, title, named) : schema;
  }
  return named;
}

function membersNamed(
  schema: JsonObject, title: string, named: Record<string, unknown>,
): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  const members = Object.entries(properties).map(([name, member]) => (
    [name, isJsonObject(member) ? referred(member, `${title}${pascal(name)}`, named) : member]
  ));
  return { ...schema, properties: Object.fromEntries(members) };
}

function referred(member: JsonObject, title: string, named: Record<string, unknown>): JsonObject {
  const { items, description, examples } = member;
  if (isJsonObject(items)) return { ...member, items: referred(items, title, named) };
  if (member['type'] !== 'object' || !isJsonObject(member['properties'])) return member;
  if (title in named) throw new Error(`two schemas would be called ${title}`);
  named[title] = membersNamed({ title, ...member }, title, named);
  return {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    $ref: `${PREFIX}${title}`,
  };
}
