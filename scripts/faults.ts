/**
 * `npm run faults`: the product as real processes under real faults, held to the invariants of a
 * checker of its own (test/faults/README.md). The last line is `N passed, N failed`.
 */
import { randomInt } from 'node:crypto';
import { example, wholeFrom, wrongValue } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { runFaults, runMutants, scenarioLines, type Chosen } from '../test/faults/run/run-faults.ts';
import { runClients, runKitMutants } from '../test/faults/clients/run-clients.ts';
import { SCENARIOS } from '../test/faults/scenarios/index.ts';
import { commitOf } from './suite/commit.ts';
import { firstSignal } from './suite/signals.ts';

interface Words extends Pick<Chosen, 'smoke' | 'all' | 'soak' | 'commands'> {
  readonly only: readonly string[];
  readonly mutants: boolean;
  readonly list: boolean;
  readonly seed: number;
  readonly keep: boolean;
  readonly rows: string;
  readonly clients: Chosen['soak'];
  readonly killEvery: number;
  readonly port: number;
}

const SEED_MAX = 1_000_000;
const leaving = firstSignal();
const print = (line: string): void => { process.stdout.write(`${line}\n`); };

await runScript((command, does) => {
  example(command.name('npm run faults --')
    .description('Runs the product under faults and checks what it promised.')
    .argument('[mutant...]', 'mutants to run, with --mutants (default: all)')
    .option('--smoke', 'the short matrix (at most 8 minutes)', false)
    .option('--all', 'every scenario; as other runs with --rows, it writes'
      + ' docs/reference/faults.md', false)
    .option('--only <names>', 'one scenario, or several with commas between', scenariosFrom, [])
    .option('--mutants', 'every mutant must turn its run red; with none named, or with --rows, it'
      + ' writes docs/reference/faults-mutants.md', false)
    .option('--soak <time>', 'a random fault every 20 s, such as 20m; from 20 minutes on it writes'
      + ' docs/reference/soak.md', timeFrom)
    .option('--commands <n>', 'so many commands, most of them repeated; from 10000 on it writes'
      + ' docs/reference/faults-commands.md', wholeFrom(1))
    .option('--clients <time>', 'kills the client kits while they send, for a time such as 90s; from 5m on it'
      + ' writes docs/reference/faults-kits.md; with --mutants, changed copies of them must lose fixes', timeFrom)
    .option('--kill-every <s>', 'of --clients: seconds from one kill to the next', wholeFrom(1), 20)
    .option('--port <p>', 'of --clients: the private platform listens on P to P+25',
      wholeFrom(1_024, 65_500), 18_680)
    .option('--list', 'the names of the scenarios', false)
    .option('--seed <n>', 'the same workload and faults again (default: a new one, printed)',
      wholeFrom(0), randomInt(1, SEED_MAX))
    .option('--keep', 'keep the directory of a red run (of mutants: of one that was missed)', false)
    .option('--rows <file>', 'keep results there, so that several calls make one page; alone,'
      + ' the page again', '')
    .action(does((_ports, names: readonly string[], words: Words) => {
      const run = {
        commit: commitOf(), seed: words.seed, keeps: words.keep, leaving: leaving.signal, print,
      };
      if (words.clients !== undefined) {
        const chosen = {
          seconds: words.clients.seconds, killEverySeconds: words.killEvery, port: words.port,
        };
        return words.mutants ? runKitMutants(names, chosen, run) : runClients(chosen, run);
      }
      if (words.mutants) return runMutants(names, words.rows, run);
      if (words.list) {
        scenarioLines().forEach(print);
        return 0;
      }
      const { smoke, all, soak, commands, only } = words;
      const isLong = soak !== undefined || commands !== undefined;
      if (!smoke && !all && !isLong && only.length === 0 && words.rows === '') {
        print('Say what to run: --smoke, --all, --only, --mutants, --soak, --commands or --clients (--help).');
        return 2;
      }
      return runFaults({
        smoke, all, soak, commands, names: only, rowsFile: words.rows,
      }, run);
    })),
  'npm run faults -- --only worker-killed --seed 7',
  'Exit codes: 0 all passed, 1 one failed, 2 wrong use or an error.');
}, { errorCode: 2 });

function scenariosFrom(text: string): readonly string[] {
  const names = text.split(',').filter((name) => name !== '');
  const unknown = names.find((name) => SCENARIOS.every((each) => each.name !== name));
  return unknown === undefined ? names : wrongValue(`No scenario ${unknown}; see --list.`);
}

/** `90s` or `20m`. */
function timeFrom(text: string): Chosen['soak'] {
  const [, count, unit] = /^(\d+)([sm])$/.exec(text) ?? [];
  if (count === undefined) return wrongValue('Say a time such as 90s or 20m.');
  return { text, seconds: Number(count) * (unit === 'm' ? 60 : 1) };
}
