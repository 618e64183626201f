import { isJsonObject } from '../../../schemas/files.ts';
import type { JsonObject } from '../../../schemas/files.ts';
import { PREFIX, pascal } from './names.ts';

interface Branch {
  readonly member: string;
  readonly values: readonly string[];
  readonly target: string;
}

/**
 * Schemas in which a choice by `if` and `then` of one member is a `oneOf` with a discriminator: a
 * schema for each value of that member, which generators of clients make a type of its own.
 */
export function withChoices(schemas: JsonObject): JsonObject {
  const made: Record<string, unknown> = { ...schemas };
  for (const [title, schema] of Object.entries(schemas)) {
    if (!isJsonObject(schema)) continue;
    const branches = branchesOf(schema);
    if (branches === undefined) continue;
    const mapping: Record<string, string> = {};
    for (const { member, values, target } of branches) {
      for (const value of values) {
        const name = `${pascal(value)}${pascal(member)}`;
        mapping[value] = `${PREFIX}${name}`;
        made[name] = variant(schemas[target] as JsonObject, name, member, value);
      }
    }
    made[title] = {
      title: schema['title'], description: schema['description'],
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: branches[0]?.member, mapping },
    };
  }
  return made;
}

/** The branches of a schema that chooses by one member alone, of which every value has a branch. */
function branchesOf({ allOf, properties, required }: JsonObject): readonly Branch[] | undefined {
  if (!Array.isArray(allOf) || !isJsonObject(properties)) return undefined;
  const branches = allOf.map(branchOf);
  const [first] = branches;
  const isOfOne = branches.every((each) => each?.member === first?.member);
  if (first === undefined || !isOfOne) return undefined;
  const rule = properties[first.member];
  const values = branches.flatMap((each) => each?.values ?? []).toSorted();
  const allowed = isJsonObject(rule) && Array.isArray(rule['enum']) ? rule['enum'].toSorted() : [];
  const isWhole = Array.isArray(required) && required.includes(first.member)
    && values.join() === allowed.join() && new Set(values).size === values.length;
  return isWhole ? branches as Branch[] : undefined;
}

function branchOf(part: unknown): Branch | undefined {
  const { if: condition, then } = isJsonObject(part) ? part : {};
  if (!isJsonObject(part) || !isJsonObject(condition) || !isJsonObject(then)) return undefined;
  const target = then['$ref'];
  const [[member, rule] = [], ...others] = Object.entries(condition['properties'] ?? {});
  if (member === undefined || others.length > 0 || typeof target !== 'string') return undefined;
  const values = isJsonObject(rule) ? rule['enum'] : undefined;
  return Array.isArray(values) && !('else' in part)
    ? { member, values: values as string[], target: target.slice(PREFIX.length) }
    : undefined;
}

function variant(target: JsonObject, name: string, member: string, value: string): JsonObject {
  const properties = target['properties'] as JsonObject;
  const { const: _fixed, ...rule } = properties[member] as JsonObject;
  return {
    ...target, title: name, description: `The ${member} \`${value}\`.`,
    properties: { ...properties, [member]: { ...rule, enum: [value], examples: [value] } },
  };
}
