import { readFileSync } from 'node:fs';
import type { Schemas } from '../../kernel/schemas.ts';
import type { BundledSchema } from './bundled-schema.ts';
import { compileSchemas, type SchemaConfig } from './compile.ts';

const BUNDLES = new URL('../../../schemas/generated/bundles.json', import.meta.url);

/** Reads and compiles the schemas of the contract; throws when one is missing or broken. */
export function loadSchemas(config?: SchemaConfig): Schemas {
  const bundles = JSON.parse(readFileSync(BUNDLES, 'utf8')) as Record<string, BundledSchema>;
  return compileSchemas(bundles, config);
}
