/**
 * Prints each row of the contract with the tests that pin it, then the rows without a test.
 *
 *   node scripts/rows.ts [--area TOK,DEV] [--missing] [--require TOK,DEV,LOC]
 *
 * Exit 1: a title names a row that is not in the list, or a required area has a row without test.
 */
import { parseArgs } from 'node:util';
import { readContract } from './rows/contract.ts';
import { coverOf, inAreas, missingRows } from './rows/cover.ts';
import { readTitles } from './rows/titles.ts';

const { values } = parseArgs({
  options: {
    area: { type: 'string', default: '' },
    missing: { type: 'boolean', default: false },
    require: { type: 'string', default: '' },
  },
});

const contract = readContract(process.cwd());
const cover = coverOf(contract, readTitles(process.cwd()));
const areas = areasOf(values.area);
const required = areasOf(values.require);

if (!values.missing) {
  for (const { row, titles } of cover.rows) {
    if (titles.length === 0 || !inAreas(row, areas)) continue;
    console.log(`${row.id}  ${row.statement}`);
    for (const title of titles) console.log(`        ${title.place}  ${title.title}`);
  }
}
const missing = missingRows(cover, areas);
for (const row of missing) console.log(`${row.id}  without a test: ${row.statement}`);
const shown = cover.rows.filter(({ row }) => inAreas(row, areas)).length;
console.log(`${shown - missing.length} of ${shown} rows have a test`);

for (const { id, title } of cover.strays) {
  console.error(`${title.place} pins ${id}, which is no row of the contract`);
}
const owed = required.length === 0 ? [] : missingRows(cover, required);
for (const row of owed) console.error(`${row.id} is required and has no test`);
process.exitCode = cover.strays.length > 0 || owed.length > 0 ? 1 : 0;

function areasOf(list: string): string[] {
  const names = list.split(',').filter((name) => name !== '');
  const known = new Set(contract.map((row) => row.area));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`no such area: ${unknown.join(', ')}`);
  return names;
}
