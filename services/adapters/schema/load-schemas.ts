import { bundleOf } from '../../../schemas/bundles.ts';
import { phraseOfPattern } from '../../../schemas/phrases.ts';
import type { Schemas } from '../../kernel/schemas.ts';
import { compileSchemas, type SchemaConfig } from './compile.ts';

/** Compiles the schemas of the contract as they are asked for; throws when one is missing. */
export function loadSchemas(config?: SchemaConfig): Schemas {
  return compileSchemas(bundleOf, config, phraseOfPattern);
}
