/**
 * Runs every gate of the repository and fails when one complains or saw no work. Names as arguments
 * run only those gates. `--list glossary|prose [rule]` prints every offence that is left, also
 * those that scripts/quality/words-left.json lets pass; `--write-words-left` counts them again.
 */
import { allGates } from './check/gates.ts';
import { judgeAll } from './check/gate.ts';
import { describeVerdict } from './check/describe.ts';
import { listOffences, writeWordsLeft } from './check/words/gates.ts';
import { describeOffence } from './check/words/ratchet.ts';

const gatesAtOnceMax = 2;

const root = process.cwd();
const [first, ...rest] = process.argv.slice(2);

if (first === '--write-words-left') writeWordsLeft(root);
else if (first === '--list') listLeft(rest);
else await runGates(process.argv.slice(2));

function listLeft([gate = 'glossary', rule]: readonly string[]): void {
  for (const one of listOffences(gate, root)) {
    if (rule === undefined || one.rule === rule) console.log(describeOffence(one));
  }
}

async function runGates(only: readonly string[]): Promise<void> {
  const gates = allGates().filter((gate) => only.length === 0 || only.includes(gate.name));
  const verdicts = await judgeAll(gates, root, gatesAtOnceMax, (verdict) => {
    console.log(describeVerdict(verdict));
  });
  const failed = verdicts.filter((verdict) => !verdict.passed);
  process.exitCode = verdicts.length > 0 && failed.length === 0 ? 0 : 1;
}
