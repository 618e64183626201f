/**
 * `npm run scale`: every documented question is asked of a hundred million fixes, with the limits
 * of the analyst (test/scale/README.md). The last line is `N passed, N failed`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { example, wrongValue } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { pageOf } from '../test/scale/page.ts';
import { runScale } from '../test/scale/run-scale.ts';
import { commitOf } from './suite/commit.ts';
import { firstSignal } from './suite/signals.ts';

interface Words {
  readonly rows: number;
  readonly only: readonly string[];
  readonly page: boolean;
  readonly dir: string;
}

const ROOT_DIR = resolve(import.meta.dirname, '..');
const PAGE = join(ROOT_DIR, 'docs', 'reference', 'performance', 'questions.md');
const UNITS: Readonly<Record<string, number>> = { '': 1, 'k': 1e3, 'M': 1e6 };
const print = (line: string): void => { process.stdout.write(`${line}\n`); };

await runScript((command, does) => {
  example(command.name('npm run scale --')
    .description('Asks every documented question of a simulated fleet, as the analyst.')
    .option('--rows <n>', 'fixes, such as 300k or 100M; a size is filled once', rowsFrom, 1e8)
    .option('--only <names>', 'questions with commas between', (names: string) => names.split(','), [])
    .option('--page', 'writes docs/reference/performance/questions.md', false)
    .option('--dir <dir>', 'where the tables are kept', join(ROOT_DIR, '.rastro', 'scale'))
    .action(does((_ports, words: Words) => run(words))),
  'npm run scale -- --rows 1M',
  'Exit codes: 0 every question is within its budget, 1 one is not, 2 wrong use or an error.');
}, { errorCode: 2 });

async function run({ rows, only, page, dir }: Words): Promise<number> {
  const own = join(resolve(dir), String(rows));
  mkdirSync(own, { recursive: true });
  const result = await runScale({
    rows, only, dir: own, leaving: firstSignal().signal, print,
    cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
  });
  if (page) {
    const command = `npm run scale -- --rows ${rows / 1e6}M`;
    writeFileSync(PAGE, pageOf(result, command, commitOf(), `${cpus().length} cores`));
  }
  const failed = result.rows.filter(({ isWithin }) => !isWithin).length;
  print(`${result.rows.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function rowsFrom(text: string): number {
  const [, digits = '', unit = ''] = /^(\d+)([kM]?)$/.exec(text) ?? [];
  const rows = Number(digits) * (UNITS[unit] ?? 1);
  return rows > 0 ? rows : wrongValue('Such as 300k or 100M.');
}
