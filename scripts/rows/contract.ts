import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One numbered statement of the contract, e.g. `TOK-04`, area `TOK`. */
export interface ContractRow {
  readonly id: string;
  readonly area: string;
  readonly statement: string;
}

const rowLine = /^\| (([A-Z]+)-\d+) \| (.+) \| [^|]* \|$/;

/** The rows of docs/contract-rows.md under `root`, in their order; an id listed twice throws. */
export function readContract(root: string): ContractRow[] {
  return parseContract(readFileSync(join(root, 'docs/contract-rows.md'), 'utf8'));
}

/** The rows in a page of the contract list's form. */
export function parseContract(markdown: string): ContractRow[] {
  const rows = new Map<string, ContractRow>();
  for (const line of markdown.split('\n')) {
    const [, id, area, statement] = rowLine.exec(line) ?? [];
    if (id === undefined || area === undefined || statement === undefined) continue;
    if (rows.has(id)) throw new Error(`${id} is listed twice`);
    rows.set(id, { id, area, statement });
  }
  return [...rows.values()];
}
