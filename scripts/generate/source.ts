import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSchemaFiles, type SchemaFiles } from '../../schemas/files.ts';
import type { Catalog } from './catalog-shape.ts';
import { withDryRuns } from './dry-runs.ts';
import { withSandboxHeader } from './sandbox-header.ts';
import { withFullResponses, type CatalogFile } from './response-profiles.ts';

/** Everything the generated files are made from. */
export interface Source extends SchemaFiles {
  readonly catalog: Catalog;
}

/** Reads the schema files and `catalog.json` below `root`. */
export function readSource(root: string): Source {
  const file = JSON.parse(readFileSync(join(root, 'catalog.json'), 'utf8')) as CatalogFile;
  return {
    ...readSchemaFiles(root),
    catalog: withSandboxHeader(withDryRuns(withFullResponses(file))),
  };
}
