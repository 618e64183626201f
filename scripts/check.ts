/** `npm run check`: every gate of the repository; fails when one complains or saw no work. */
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { describeVerdict } from './check/describe.ts';
import { judgeAll } from './check/gate.ts';
import { allGates } from './check/gates.ts';

const GATES_AT_ONCE_MAX = 2;
const names = allGates().map(({ name }) => name);

await runScript((command, does) => {
  example(command.name('npm run check --')
    .description('Runs the gates of the repository.')
    .argument('[gate...]', names.join(', ')).action(does(async (_ports, only: readonly string[]) => {
      const gates = allGates().filter(({ name }) => only.length === 0 || only.includes(name));
      const verdicts = await judgeAll(gates, process.cwd(), GATES_AT_ONCE_MAX, (verdict) => {
        console.log(describeVerdict(verdict));
      });
      return verdicts.length > 0 && verdicts.every(({ passed }) => passed) ? 0 : 1;
    })),
  'npm run check -- lint "dead code"', 'Exit codes: 0 all green, 1 a gate complains, 2 wrong use.');
});
