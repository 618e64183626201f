import { isJsonObject } from '../../schemas/files.ts';

const INT32_MAX = 2 ** 31 - 1;
/** As JSON writes it; {@link withLongLimits} puts the exact limit in its place. */
const LONG_MAX = 2 ** 63;
/** Places that hold values, not schemas. */
const VALUES = ['example', 'examples', 'default', 'const', 'enum'];

/**
 * A document whose numbers say their width, for generators of clients: without it some make a
 * coordinate one of 32 bits, which is metres off. Integers also say their limits; one
 * without limits of its own has those of JSON: what every reader keeps exactly. A Long, which is
 * of format int64 or may be text, has 64 bits on the wire (decisions.md, Long ids).
 */
export function withIntegers(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withIntegers);
  if (!isJsonObject(node)) return node;
  const copy = Object.fromEntries(Object.entries(node)
    .map(([name, value]) => [name, VALUES.includes(name) ? value : withIntegers(value)]));
  if (isLong(node)) return { ...copy, minimum: -LONG_MAX, maximum: LONG_MAX };
  const types = [node['type']].flat().filter((type) => type !== 'null');
  if (types.includes('number')) return { ...copy, format: 'double' };
  if (types.join() !== 'integer') return copy;
  const { const: fixed, enum: list, minimum = fixed, maximum = fixed } = node;
  if (list !== undefined) return copy;
  const [least, most] = [limit(minimum, -Number.MAX_SAFE_INTEGER), limit(maximum)];
  const format = least >= -INT32_MAX - 1 && most <= INT32_MAX ? 'int32' : 'int64';
  return { ...copy, format, minimum: least, maximum: most };
}

function limit(value: unknown, otherwise: number = Number.MAX_SAFE_INTEGER): number {
  return typeof value === 'number' ? value : otherwise;
}

function isLong({ type, format, maximum }: Readonly<Record<string, unknown>>): boolean {
  if (type === 'integer') return format === 'int64' && maximum === undefined;
  return Array.isArray(type) && type.includes('integer') && type.includes('string')
    && maximum === Number.MAX_SAFE_INTEGER;
}

/** The text of a document whose limits of Longs are exact: no number of JavaScript is 2^63-1. */
export function withLongLimits(text: string): string {
  return text.replaceAll(JSON.stringify(LONG_MAX), '9223372036854775807');
}
