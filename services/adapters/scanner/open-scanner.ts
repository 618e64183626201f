import { readFileSync } from 'node:fs';
import type { ScanBody } from '../../kernel/body-scanner.ts';
import { createScanner } from './create-scanner.ts';
import type { Reported, ScannedSchema } from './tables.ts';

const BINARY = new URL('scanner.wasm', import.meta.url);
const BUNDLES = new URL('../../../schemas/generated/bundles.json', import.meta.url);

/**
 * Opens the scanner of the bodies that one schema of the contract describes. Throws when there is
 * no such schema, or when it says something that a scanner does not understand.
 */
export function openScanner(title: string, reported: Reported): ScanBody {
  const bundles = JSON.parse(readFileSync(BUNDLES, 'utf8')) as Record<string, ScannedSchema>;
  const schema = Object.hasOwn(bundles, title) ? bundles[title] : undefined;
  if (schema === undefined) throw new Error(`There is no schema with the title ${title}.`);
  return createScanner(readFileSync(BINARY), schema, reported);
}
