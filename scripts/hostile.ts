/**
 * `npm run hostile`: one caller misbehaves in each known way while honest ones work, and none of
 * them may notice (test/hostile/README.md). The last line is `N passed, N failed`.
 */
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { example, wholeFrom, wrongValue } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { OFFENDERS } from '../test/hostile/offenders/index.ts';
import { lineOf, mutantPageOf, pageOf, type MadeResult } from '../test/hostile/run/page.ts';
import { runHostile } from '../test/hostile/run/run-hostile.ts';
import { runHostileMutants } from '../test/hostile/run/run-mutants.ts';
import { commitOf } from './suite/commit.ts';
import { firstSignal } from './suite/signals.ts';

interface Words {
  readonly smoke: boolean;
  readonly all: boolean;
  readonly only: readonly string[];
  readonly mutants: boolean;
  readonly list: boolean;
  readonly seed: number;
  readonly keep: boolean;
  readonly save?: string;
  readonly page: readonly string[];
}

const SEED_MAX = 1_000_000;
const PAGE = new URL('../docs/reference/hostile.md', import.meta.url);
const MUTANTS_PAGE = new URL('../docs/reference/hostile-mutants.md', import.meta.url);
const NAMES = OFFENDERS.map(({ name }) => name);
const leaving = firstSignal();
const print = (line: string): void => { process.stdout.write(`${line}\n`); };

await runScript((command, does) => {
  example(command.name('npm run hostile --')
    .description('Lets one caller misbehave while honest ones work.')
    .argument('[mutant...]', 'mutants to run, with --mutants (default: all)')
    .option('--smoke', 'a few offenders', false)
    .option('--all', 'every offender; writes docs/reference/hostile.md', false)
    .option('--only <names>', 'one offender, or several with commas between', offendersFrom, [])
    .option('--mutants', 'each protection that is taken out must be noticed', false)
    .option('--list', 'the names of the offenders', false)
    .option('--seed <n>', 'the same honest callers again (default: a new one, printed)',
      wholeFrom(0), randomInt(1, SEED_MAX))
    .option('--save <file>', 'what this run saw, as JSON for --page')
    .option('--page <files>', 'writes the page from runs that were saved, with commas between',
      (files: string) => files.split(','), [])
    .option('--keep', 'keep the directory of a red run', false)
    .action(does((_ports, names: readonly string[], words: Words) => (
      words.mutants ? runMutants(names, words) : run(words)
    ))),
  'npm run hostile -- --only idle-lines,gzip-bombs --seed 7',
  'Exit codes: 0 no honest caller was harmed, 1 one was, 2 wrong use or an error.');
}, { errorCode: 2 });

async function runMutants(names: readonly string[], { seed, keep }: Words): Promise<number> {
  const commit = commitOf();
  print(`seed ${seed}, commit ${commit}`);
  const rows = await runHostileMutants(names, {
    seed, keeps: keep, leaving: leaving.signal, print,
  });
  const missed = rows.filter(({ said }) => said === '').length;
  if (names.length === 0) {
    const page = { command: `npm run hostile -- --mutants --seed ${seed}`, commit };
    writeFileSync(MUTANTS_PAGE, mutantPageOf(rows, page));
  }
  print(`${rows.length - missed} passed, ${missed} failed`);
  return missed === 0 ? 0 : 1;
}

async function run({ smoke, all, only, list, seed, keep, save, page }: Words): Promise<number> {
  if (page.length > 0) return writePage(page);
  const chosen = OFFENDERS.filter(({ name, isSmoke }) => (
    all || only.includes(name) || (smoke && isSmoke === true)
  ));
  if (list) {
    for (const { name, does } of OFFENDERS) print(`${name}: ${does}`);
    return 0;
  }
  if (chosen.length === 0) {
    print('Say whom to let in: --smoke, --all or --only (--help).');
    return 2;
  }
  const commit = commitOf();
  print(`seed ${seed}, commit ${commit}`);
  const result = await runHostile(chosen, {
    seed, keeps: keep, leaving: leaving.signal, print, onRow: (row) => { print(lineOf(row)); },
  });
  result.violations.forEach(print);
  const words = saidAs({ smoke, all, only });
  const made = { ...result, command: `npm run hostile -- ${words} --seed ${seed}`, commit };
  if (save !== undefined) writeFileSync(save, JSON.stringify(made));
  if (all) writeFileSync(PAGE, pageOf([made], NAMES));
  const passed = result.rows.filter(({ troubles }) => troubles.length === 0).length;
  const failed = chosen.length - passed + Number(result.violations.length > 0);
  print(`${result.losses}, honest callers ${result.violations.length === 0 ? 'unharmed' : 'harmed'}`);
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function saidAs({ smoke, all, only }: Pick<Words, 'smoke' | 'all' | 'only'>): string {
  if (all) return '--all';
  return [smoke ? '--smoke' : '', only.length > 0 ? `--only ${only.join(',')}` : '']
    .filter((word) => word !== '').join(' ');
}

function writePage(files: readonly string[]): number {
  const saved = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as MadeResult);
  writeFileSync(PAGE, pageOf(saved, NAMES));
  return 0;
}

function offendersFrom(text: string): readonly string[] {
  const names = text.split(',').filter((name) => name !== '');
  const unknown = names.find((name) => OFFENDERS.every((each) => each.name !== name));
  return unknown === undefined ? names : wrongValue(`No offender ${unknown}; see --list.`);
}
