import { catalogFile } from './catalog.ts';
import { openapiFile } from './openapi.ts';
import { personalFile } from './personal.ts';
import { typesFile } from './types.ts';
import type { Source } from './source.ts';

/** Every file below `schemas/generated/` by name, as it must be; the same source, the same text. */
export async function generatedFiles(source: Source): Promise<Readonly<Record<string, string>>> {
  return {
    'types.ts': await typesFile(source),
    'catalog.ts': catalogFile(source.catalog),
    'openapi.json': openapiFile(source),
    'personal.ts': personalFile(source),
  };
}
