/** Prints each row of the contract with the tests that pin it, then the rows without a test. */
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { readContract } from './rows/contract.ts';
import { coverOf, inAreas, missingRows } from './rows/cover.ts';
import { readTitles } from './rows/titles.ts';

interface Words {
  readonly area: string;
  readonly missing: boolean;
  readonly require: string;
}

const contract = readContract(process.cwd());

await runScript((command, does) => {
  example(command.name('npm run rows --')
    .description('Prints each row of the contract with the tests that pin it.')
    .option('--area <names>', 'only of these areas, such as TOK,DEV', '')
    .option('--missing', 'only rows without a test', false)
    .option('--require <names>', 'areas in which every row must have a test', '')
    .action(does((_ports, words: Words) => show(words))),
  'npm run rows -- --area TOK,DEV --missing',
  'Exit codes: 0 in order, 1 a title names no row or a required row has no test, 2 wrong use.');
});

function show(words: Words): number {
  const { missing: missingOnly } = words;
  const cover = coverOf(contract, readTitles(process.cwd()));
  const areas = areasOf(words.area);
  const required = areasOf(words.require);
  if (!missingOnly) {
    for (const { row, titles } of cover.rows) {
      if (titles.length === 0 || !inAreas(row, areas)) continue;
      console.log(`${row.id}  ${row.statement}`);
      for (const title of titles) console.log(`        ${title.writtenAt}  ${title.title}`);
    }
  }
  const missing = missingRows(cover, areas);
  for (const row of missing) console.log(`${row.id}  without a test: ${row.statement}`);
  const shown = cover.rows.filter(({ row }) => inAreas(row, areas)).length;
  console.log(`${shown - missing.length} of ${shown} rows have a test`);

  for (const { id, title } of cover.strays) {
    console.error(`${title.writtenAt} pins ${id}, which is no row of the contract`);
  }
  const owed = required.length === 0 ? [] : missingRows(cover, required);
  for (const row of owed) console.error(`${row.id} is required and has no test`);
  return cover.strays.length > 0 || owed.length > 0 ? 1 : 0;
}

function areasOf(list: string): string[] {
  const names = list.split(',').filter((name) => name !== '');
  const known = new Set(contract.map((row) => row.area));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`no such area: ${unknown.join(', ')}`);
  return names;
}
