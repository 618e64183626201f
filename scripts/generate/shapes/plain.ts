import { isJsonObject } from '../../../schemas/files.ts';
import type { JsonObject } from '../../../schemas/files.ts';

const VALUES = ['example', 'examples', 'default', 'const', 'enum', 'required', 'mapping'];
const NUMBERS = ['minimum', 'maximum', 'multipleOf', 'format'];
const TEXTS = ['minLength', 'maxLength', 'pattern'];

/**
 * A schema in the words that every generator of clients knows: no boolean schema, no `const`, and
 * one type at a place (beside null), so that what may be a number or a text is a `oneOf`.
 */
export function withPlainWords(node: unknown): unknown {
  if (node === true) return {};
  if (Array.isArray(node)) return node.map(withPlainWords);
  if (!isJsonObject(node)) return node;
  const copy: Record<string, unknown> = Object.fromEntries(Object.entries(node)
    .map(([name, value]) => [name, VALUES.includes(name) ? value : withPlainWords(value)]));
  const { const: only } = copy;
  delete copy['const'];
  // A list of one boolean becomes Java that does not compile; its description says which.
  if (only !== undefined && typeof only !== 'boolean') copy['enum'] = [only];
  return oneTypeEach(copy);
}

function oneTypeEach(schema: Readonly<Record<string, unknown>>): JsonObject {
  const { type, ...rest } = schema;
  if (!Array.isArray(type) || type.filter((each) => each !== 'null').length < 2) return schema;
  const shared = Object.fromEntries(Object.entries(rest)
    .filter(([name]) => ![...NUMBERS, ...TEXTS].includes(name)));
  const words = (names: readonly string[]): JsonObject => Object.fromEntries(
    Object.entries(rest).filter(([name]) => names.includes(name)),
  );
  return {
    ...shared,
    oneOf: (type as string[]).map((each) => {
      if (each === 'string') return { type: each, ...words(TEXTS) };
      if (each === 'integer') return { type: each, format: 'int64', ...words(NUMBERS) };
      return { type: each, ...(each === 'number' && words(NUMBERS)) };
    }),
  };
}
