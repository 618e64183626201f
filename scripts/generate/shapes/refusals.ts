import { isJsonObject } from '../../../schemas/files.ts';
import type { JsonObject } from '../../../schemas/files.ts';

const CONDITIONS = ['if', 'then', 'else', 'allOf', 'not'];
/** Places that hold values, not schemas. */
const VALUES = ['example', 'examples', 'default', 'const', 'enum', 'required'];

/**
 * A schema whose conditions are all in one `not`: what is refused although each member alone
 * is right. Generators of clients pass over `not`, but stumble over `if` and `allOf`.
 */
export function withRefusals(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withRefusals);
  if (!isJsonObject(node)) return node;
  const { if: _if, then: _then, else: _else, allOf: _allOf, not: _not, ...rest } = node;
  const copy = Object.fromEntries(Object.entries(rest)
    .map(([name, value]) => [name, VALUES.includes(name) ? value : withRefusals(value)]));
  if (!CONDITIONS.some((name) => name in node)) return copy;
  const refused = refusalsOf(node).map(present);
  return { ...copy, not: refused.length === 1 ? refused[0] : { anyOf: refused } };
}

function refusalsOf(node: JsonObject): readonly JsonObject[] {
  const { if: condition, then, else: otherwise, allOf = [], not } = node;
  const refused: JsonObject[] = isJsonObject(not) ? [not] : [];
  if (isJsonObject(condition)) {
    if (isJsonObject(then)) refused.push({ ...condition, not: then });
    if (isJsonObject(otherwise)) refused.push({ not: { anyOf: [condition, otherwise] } });
  }
  for (const part of allOf as readonly unknown[]) {
    if (!isJsonObject(part) || '$ref' in part) throw new Error('an allOf of references has no translation');
    refused.push(...('if' in part ? refusalsOf(part) : [{ not: part }]));
  }
  return refused;
}

/** A condition in which a member that is null is as good as absent, as in what is sent. */
function present(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(present);
  if (!isJsonObject(node)) return node;
  const copy: JsonObject = Object.fromEntries(Object.entries(node)
    .map(([name, value]) => [name, VALUES.includes(name) ? value : present(value)]));
  const { required } = copy;
  if (!Array.isArray(required)) return copy;
  const properties = isJsonObject(copy['properties']) ? copy['properties'] : {};
  const members = (required as string[]).map((name) => [name, there(properties[name])] as const);
  return { ...copy, properties: { ...properties, ...Object.fromEntries(members) } };
}

function there(rule: unknown): unknown {
  return isJsonObject(rule) ? rule : { not: { type: 'null' } };
}
