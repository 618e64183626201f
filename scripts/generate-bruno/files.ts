import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../schemas/files.ts';
import { brunoCollection } from './collection.ts';

const FOLDER = 'services/clients/bruno';

/** The files of the collection by their paths in the repository, out of the document's text. */
export function brunoFiles(openapi = ''): Readonly<Record<string, string>> {
  const files = brunoCollection(JSON.parse(openapi) as JsonObject);
  return Object.fromEntries(Object.entries(files).map(([path, text]) => (
    [`${FOLDER}/${path}`, text]
  )));
}

/** Requests in the folder of the collection that nothing generates any more. */
export function strayFiles(
  root: string, files: Readonly<Record<string, string>>,
): readonly string[] {
  if (!existsSync(join(root, FOLDER))) return [];
  return readdirSync(join(root, FOLDER), { recursive: true, encoding: 'utf8' })
    .map((name) => `${FOLDER}/${name}`)
    .filter((path) => path.endsWith('.bru') && !(path in files));
}
