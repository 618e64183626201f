import { referring } from '../../schemas/inline.ts';
import { isJsonObject } from '../../schemas/files.ts';
import type { JsonObject, SchemaFile } from '../../schemas/files.ts';
import type { Source } from './source.ts';

const PREFIX = '#/components/schemas/';

/** A reference to a titled schema, as OpenAPI and AsyncAPI documents write it. */
export function reference(title: string): JsonObject {
  return { $ref: `${PREFIX}${title}` };
}

/** The file with this title; throws when the catalog names one that does not exist. */
export function fileTitled(source: Source, title: string): SchemaFile {
  const file = source.files.find((each) => each.title === title);
  if (file === undefined) throw new Error(`no schema with the title ${title}`);
  return file;
}

/** The named schemas and everything they refer to, in the order of titles. */
export function components(source: Source, titles: readonly string[]): JsonObject {
  const found = new Map<string, JsonObject>();
  const waiting = [...titles];
  for (let title = waiting.pop(); title !== undefined; title = waiting.pop()) {
    if (found.has(title)) continue;
    const file = fileTitled(source, title);
    const schema = referring(source, file, { prefix: PREFIX, keepSiblings: true });
    found.set(title, schema);
    waiting.push(...referredTitles(schema));
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function referredTitles(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(referredTitles);
  if (!isJsonObject(node)) return [];
  const own = node['$ref'];
  const deeper = Object.values(node).flatMap(referredTitles);
  return typeof own === 'string' ? [own.slice(PREFIX.length), ...deeper] : deeper;
}
