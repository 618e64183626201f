import { readFileSync } from 'node:fs';
import { bundleOf } from '../../../schemas/bundles.ts';
import type { ScanBody } from '../../kernel/body-scanner.ts';
import { createScanner } from './create-scanner.ts';
import type { Reported } from './tables.ts';

const BINARY = new URL('scanner.wasm', import.meta.url);

/**
 * Opens the scanner of the bodies that one schema of the contract describes. Throws when there is
 * no such schema, or when it says something that a scanner does not understand.
 */
export function openScanner(title: string, reported: Reported): ScanBody {
  return createScanner(readFileSync(BINARY), bundleOf(title), reported);
}
