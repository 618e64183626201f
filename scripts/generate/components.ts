import { basename } from 'node:path';
import { referring } from '../../schemas/inline.ts';
import { isJsonObject } from '../../schemas/files.ts';
import { PREFIX } from './shapes/names.ts';
import type { JsonObject, SchemaFile } from '../../schemas/files.ts';
import type { Source } from './source.ts';

/** A reference to a titled schema, as OpenAPI and AsyncAPI documents write it. */
export function reference(title: string): JsonObject {
  return { $ref: `${PREFIX}${title}` };
}

/** The file with this title; throws when the catalog names one that does not exist. */
export function fileTitled(source: Source, title: string): SchemaFile {
  const file = source.files.find((each) => nameOf(each) === title);
  if (file === undefined) throw new Error(`no schema with the title ${title}`);
  return file;
}

/** Rules for one value that have a type of their own in a document: a number or a text. */
const NAMES: Readonly<Record<string, string>> = {
  'long-id.json': 'LongId', 'shipment-id.json': 'ShipmentReference',
};

/** The name of a file's type in a document, or undefined for a rule that is inlined. */
export function nameOf({ title, path }: SchemaFile): string | undefined {
  return title ?? NAMES[basename(path)];
}

/** The named schemas and everything they refer to, in the order of titles. */
export function components(source: Source, titles: readonly string[]): JsonObject {
  const found = new Map<string, JsonObject>();
  const waiting = [...titles];
  for (let title = waiting.pop(); title !== undefined; title = waiting.pop()) {
    if (found.has(title)) continue;
    const file = fileTitled(source, title);
    const schema = referring(source, file, { prefix: PREFIX, keepSiblings: true, nameOf });
    found.set(title, schema);
    waiting.push(...referredTitles(schema));
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The titles that a part of a document refers to, of schemas alone. */
export function referredTitles(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(referredTitles);
  if (!isJsonObject(node)) return [];
  const own = node['$ref'];
  const deeper = Object.values(node).flatMap(referredTitles);
  return typeof own === 'string' && own.startsWith(PREFIX) ? [own.slice(PREFIX.length), ...deeper] : deeper;
}
