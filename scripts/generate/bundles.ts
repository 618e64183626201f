import { inlined } from './references.ts';
import type { JsonObject, Source } from './source.ts';

/**
 * Words that never change what a schema accepts; left out, so that a better example or comment
 * does not make a new version in the registry.
 */
const NOT_BINDING = ['$schema', '$comment', 'examples', 'description'];

/**
 * One self-contained schema (no `$ref`, no `$defs`, no `$schema`) for every HTTP body and Kafka
 * value, by title. Ajv and the schema registry both take these.
 */
export function bundlesFile(source: Source): string {
  const bundles: JsonObject = {};
  for (const file of source.files) {
    if (file.room === 'shapes' || file.title === undefined) continue;
    bundles[file.title] = inlined(source, file, NOT_BINDING);
  }
  return `${JSON.stringify(bundles, null, 2)}\n`;
}
