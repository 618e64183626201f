import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A JSON object, as the schema files hold it. */
export interface JsonObject {
  [key: string]: unknown;
}

/** One hand-kept schema file. A file without `title` is a rule for one value, never a type. */
export interface SchemaFile {
  readonly path: string;
  readonly room: 'shapes' | 'http' | 'records';
  readonly title: string | undefined;
  readonly schema: JsonObject;
}

/** The schema files, and the file that a `$ref` in `path` points to (throws when there is none). */
export interface SchemaFiles {
  readonly files: readonly SchemaFile[];
  fileAt(reference: string, path: string): SchemaFile;
}

const ROOMS = ['shapes', 'http', 'records'] as const;

/** Reads `shapes/`, `http/` and `records/` below `root`, in the order of names. */
export function readSchemaFiles(root: string): SchemaFiles {
  const files = ROOMS.flatMap((room) => readRoom(root, room));
  const byPath = new Map(files.map((file) => [file.path, file]));
  return {
    files,
    fileAt(reference, path) {
      const file = byPath.get(resolve(dirname(path), reference));
      if (file === undefined) throw new Error(`${path}: no schema at ${reference}`);
      return file;
    },
  };
}

/** Narrows to a JSON object, leaving arrays and null out. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readRoom(root: string, room: SchemaFile['room']): SchemaFile[] {
  const folder = resolve(root, room);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json')).sort();
  return names.map((name) => {
    const path = join(folder, name);
    const { $schema: _, ...schema } = JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
    const title = typeof schema['title'] === 'string' ? schema['title'] : undefined;
    return { path, room, title, schema };
  });
}
