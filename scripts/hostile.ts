/**
 * `npm run hostile`: one caller misbehaves in each known way while honest ones work, and none of
 * them may notice (test/hostile/README.md). The last line is `N passed, N failed`.
 */
import { randomInt } from 'node:crypto';
import { Option } from 'commander';
import { example, wholeFrom, wrongValue } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { OFFENDERS } from '../test/hostile/offenders/index.ts';
import {
  offenderLines, runChosen, runChosenMutants, writePage, type ChosenOffenders,
} from '../test/hostile/run/run-chosen.ts';
import { commitOf } from './suite/commit.ts';
import { firstSignal } from './suite/signals.ts';

interface Words extends ChosenOffenders {
  readonly mutants: boolean;
  readonly list: boolean;
  readonly seed: number;
  readonly pace: number;
  readonly keep: boolean;
  readonly page: readonly string[];
}

const SEED_MAX = 1_000_000;
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
    .addOption(new Option('--pace <percent>', 'of the usual calls of the honest, where a slow machine has'
      + ' no room for more; mutants are caught by the usual ones')
      .argParser(wholeFrom(10)).default(100).conflicts('mutants'))
    .option('--save <file>', 'what this run saw, as JSON for --page')
    .option('--page <files>', 'writes the page from runs that were saved, with commas between',
      (files: string) => files.split(','), [])
    .option('--keep', 'keep the directory of a red run', false)
    .action(does((_ports, names: readonly string[], words: Words) => run(names, words))),
  'npm run hostile -- --only idle-lines,gzip-bombs --seed 7',
  'Exit codes: 0 no honest caller was harmed, 1 one was, 2 wrong use or an error.');
}, { errorCode: 2 });

async function run(names: readonly string[], words: Words): Promise<number> {
  const { mutants, list, page, seed, pace, keep, smoke, all, only } = words;
  if (page.length > 0) return writePage(page);
  if (list) {
    offenderLines().forEach(print);
    return 0;
  }
  const settings = {
    commit: commitOf(), seed, pace, keeps: keep, leaving: leaving.signal, print,
  };
  if (mutants) return runChosenMutants(names, settings);
  if (!smoke && !all && only.length === 0) {
    print('Say whom to let in: --smoke, --all or --only (--help).');
    return 2;
  }
  return runChosen(words, settings);
}

function offendersFrom(text: string): readonly string[] {
  const names = text.split(',').filter((name) => name !== '');
  const unknown = names.find((name) => OFFENDERS.every((each) => each.name !== name));
  return unknown === undefined ? names : wrongValue(`No offender ${unknown}; see --list.`);
}
