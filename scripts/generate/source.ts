import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSchemaFiles, type SchemaFiles } from '../../schemas/files.ts';
import type { Catalog } from './catalog-shape.ts';

/** Everything the generated files are made from. */
export interface Source extends SchemaFiles {
  readonly catalog: Catalog;
}

/** Reads the schema files and `catalog.json` below `root`. */
export function readSource(root: string): Source {
  return {
    ...readSchemaFiles(root),
    catalog: JSON.parse(readFileSync(join(root, 'catalog.json'), 'utf8')) as Catalog,
  };
}
