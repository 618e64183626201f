/**
 * `npm run scale`: every documented question is asked of a hundred million fixes, with the limits
 * of the analyst (test/scale/README.md). The last line is `N passed, N failed`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { pageOf } from '../test/scale/page.ts';
import { runScale } from '../test/scale/run-scale.ts';
import { isPassed, pageOfPictures } from '../test/scale/pictures/page.ts';
import { runPictures } from '../test/scale/pictures/run-pictures.ts';
import { pageOfWeek } from '../test/scale/week/page.ts';
import { runWeek } from '../test/scale/week/run-week.ts';
import { commitOf } from './suite/commit.ts';
import { countFrom, rowsFrom } from './suite/counts.ts';
import { firstSignal } from './suite/signals.ts';

interface Words {
  readonly rows: number;
  readonly only: readonly string[];
  readonly page: boolean;
  readonly dir: string;
  readonly week: boolean;
  readonly pictures: boolean;
  readonly devices: number | undefined;
  readonly days: number | undefined;
}

const ROOT_DIR = resolve(import.meta.dirname, '..');
const PAGES_DIR = join(ROOT_DIR, 'docs', 'reference', 'performance');
/** One day of so many takes some three minutes of two cores. */
const WEEK = { devices: 40, days: 7 };
const PICTURES = { devices: 10_000, days: 30 };
const MACHINE = `${cpus().length} cores`;
const print = (line: string): void => { process.stdout.write(`${line}\n`); };

await runScript((command, does) => {
  example(command.name('npm run scale --')
    .description('Asks every documented question of a simulated fleet, as the analyst.')
    .option('--rows <n>', 'fixes, such as 300k or 100M; a size is filled once', rowsFrom, 1e8)
    .option('--only <names>', 'questions with commas between', (names: string) => names.split(','), [])
    .option('--page', 'writes docs/reference/performance/questions.md, week.md or pictures.md', false)
    .option('--dir <dir>', 'where the tables are kept', join(ROOT_DIR, '.rastro', 'scale'))
    .option('--week', 'simulates a week instead, and says how old its days of devices are', false)
    .option('--pictures', 'measures fleets of random minutes of the past, and compares them with SQL', false)
    .option('--devices <n>', 'of the simulated week, or of pictures', countFrom)
    .option('--days <n>', 'of them', countFrom)
    .action(does((_ports, words: Words) => (
      words.week ? simulate(words) : words.pictures ? picture(words) : run(words)
    ))),
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
    const text = pageOf(result, command, commitOf(), MACHINE);
    writeFileSync(join(PAGES_DIR, 'questions.md'), text);
  }
  const failed = result.rows.filter(({ isWithin }) => !isWithin).length;
  print(`${result.rows.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function simulate(words: Words): Promise<number> {
  const { devices = WEEK.devices, days = WEEK.days, page, dir } = words;
  const week = await runWeek({
    devices, days, dir: join(resolve(dir), 'week'), leaving: firstSignal().signal, print,
    cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
  });
  const text = pageOfWeek(
    week, `npm run scale -- --week --devices ${devices} --days ${days}`, commitOf(), MACHINE,
  );
  print(text);
  if (page) writeFileSync(join(PAGES_DIR, 'week.md'), text);
  return week.differing === 0 ? 0 : 1;
}

async function picture(words: Words): Promise<number> {
  const { devices = PICTURES.devices, days = PICTURES.days, page, dir } = words;
  const result = await runPictures({
    devices, days, dir: join(resolve(dir), 'pictures'), leaving: firstSignal().signal, print,
    cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
  });
  const text = pageOfPictures(
    result, `npm run scale -- --pictures --devices ${devices} --days ${days}`, commitOf(), MACHINE,
  );
  print(text);
  if (page) writeFileSync(join(PAGES_DIR, 'pictures.md'), text);
  return isPassed(result) ? 0 : 1;
}
