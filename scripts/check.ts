/** `npm run check`: every gate of the repository; fails when one complains or saw no work. */
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { describeVerdict } from './check/describe.ts';
import { runAllGates } from './check/gate.ts';
import { allGates } from './check/gates.ts';
import { listOffences, writeWordsLeft } from './check/words/gates.ts';
import { describeOffence } from './check/words/ratchet.ts';

const GATES_AT_ONCE_MAX = 2;
const names = allGates().map(({ name }) => name);

interface Options {
  readonly list?: string;
  readonly rule?: string;
  readonly writeWordsLeft?: true;
}

await runScript((command, does) => {
  example(command.name('npm run check --')
    .description('Runs the gates of the repository.')
    .argument('[gate...]', names.join(', '))
    .option('--list <gate>', 'prints every offence of glossary or prose that is left')
    .option('--rule <rule>', 'with --list: only offences of this rule')
    .option('--write-words-left', 'counts the offences of glossary and prose again')
    .action(does(async (_ports, only: readonly string[], options: Options) => {
      const root = process.cwd();
      if (options.list !== undefined) return listLeft(root, options.list, options.rule);
      if (options.writeWordsLeft === true) {
        writeWordsLeft(root);
        return 0;
      }
      return runGates(root, only);
    })),
  'npm run check -- lint "dead code"', 'Exit codes: 0 all green, 1 a gate complains, 2 wrong use.');
});

async function runGates(root: string, only: readonly string[]): Promise<number> {
  const gates = allGates().filter(({ name }) => only.length === 0 || only.includes(name));
  const verdicts = await runAllGates(gates, root, GATES_AT_ONCE_MAX, (verdict) => {
    console.log(describeVerdict(verdict));
  });
  return verdicts.length > 0 && verdicts.every(({ passed }) => passed) ? 0 : 1;
}

/** Waits for the whole text: the process would end before a pipe has taken it. */
async function listLeft(root: string, gate: string, rule: string | undefined): Promise<number> {
  const offences = listOffences(gate, root)
    .filter((one) => rule === undefined || one.rule === rule);
  const text = offences.map((one) => `${describeOffence(one)}\n`).join('');
  await new Promise((resolve) => {
    process.stdout.write(text, resolve);
  });
  return 0;
}
