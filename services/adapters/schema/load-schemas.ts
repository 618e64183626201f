import { bundleOf } from '../../../schemas/bundles.ts';
import { phraseOfPattern } from '../../../schemas/phrases.ts';
import type { Schemas } from '../../kernel/schemas.ts';
import { compileSchemas, SCHEMA_DEFAULTS } from './compile.ts';

let loaded: Schemas | undefined;

/**
 * The schemas of the contract, the same for all parts of a process, as each is compiled when it is
 * first asked for. Asking throws when there is none of that title.
 */
export function loadSchemas(): Schemas {
  loaded ??= compileSchemas(bundleOf, SCHEMA_DEFAULTS, phraseOfPattern);
  return loaded;
}
