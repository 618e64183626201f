/**
 * `npm run rehearse`: what operators do to a running platform, done under load and checked
 * (test/rehearse/README.md). The last line is `N passed, N failed`.
 */
import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { example, wholeFrom } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { actsOf } from '../test/rehearse/acts/index.ts';
import { earlierCommit } from '../test/rehearse/earlier-commit.ts';
import { runActs } from '../test/rehearse/run-acts.ts';
import { firstSignal } from './suite/signals.ts';

interface Words {
  readonly only: string;
  readonly list: boolean;
  readonly earlier?: string;
  readonly seed: number;
  readonly keep: boolean;
  readonly out?: string;
  readonly rows?: string;
}

const SEED_MAX = 1_000_000;
const ROOT_DIR = resolve(import.meta.dirname, '..');
const PAGE = resolve(ROOT_DIR, 'docs', 'reference', 'rehearse.md');

const leaving = firstSignal();
const print = (line: string): void => { process.stdout.write(`${line}\n`); };

await runScript((command, does) => {
  example(command.name('npm run rehearse --')
    .description('Deploys, rolls back, scales, rotates secrets and restores from a backup, under'
      + ' load. All acts together write docs/reference/rehearse.md.')
    .option('--only <names>', 'one act, or several with commas between', '')
    .option('--list', 'the names of the acts', false)
    .option('--earlier <commit>', 'the earlier release of deploy and rollback (default: the last tag,'
      + ' without one the commit before the last change of the product)')
    .option('--seed <n>', 'the same workload again (default: a new one, printed)', wholeFrom(0),
      randomInt(1, SEED_MAX))
    .option('--keep', 'keep the directory of a red act', false)
    .option('--out <file>', 'write the page there, also with --only')
    .option('--rows <file>', 'keep acts there, so that several calls make the page together')
    .action(does((_ports, words: Words) => rehearse(words))),
  'npm run rehearse -- --only deploy', 'Exit codes: 0 all passed, 1 one failed, 2 wrong use or an error.');
}, { errorCode: 2 });

async function rehearse({ keep, list, out, ...words }: Words): Promise<number> {
  const earlier = words.earlier ?? await earlierCommit(ROOT_DIR);
  const acts = actsOf(earlier);
  if (list) {
    for (const { name, does } of acts) print(`${name}: ${does}`);
    return 0;
  }
  const only = words.only.split(',').filter((name) => name !== '');
  const unknown = only.find((name) => acts.every((act) => act.name !== name));
  if (unknown !== undefined) throw new Error(`No act ${unknown}; see --list.`);
  return runActs({
    acts, only, earlier, seed: words.seed, keeps: keep, rows: words.rows,
    page: out ?? (only.length === 0 ? PAGE : undefined), leaving: leaving.signal, print,
  });
}
