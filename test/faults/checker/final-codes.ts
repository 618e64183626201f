import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldOf, isFields, textOf } from './read-evidence.ts';

const FINAL_STATUSES = new Set(['delivered', 'returned', 'cancelled', 'lost_or_destroyed']);

/** Codes that end a shipment, by the tables that the runs use: data, not code of the product. */
export function readFinalCodes(repository: string): ReadonlySet<string> {
  const codes = new Set<string>();
  for (const name of ['notification-codes.json', 'notification-codes.sample.json']) {
    const text = readFileSync(join(repository, 'schemas', 'data', name), 'utf8');
    const table = fieldOf(JSON.parse(text), 'codes');
    for (const [code, row] of Object.entries(isFields(table) ? table : {})) {
      const isFinal = fieldOf(row, 'final') === true || FINAL_STATUSES.has(textOf(row, 'status'));
      if (isFinal) codes.add(code);
    }
  }
  return codes;
}
