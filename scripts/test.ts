/**
 * `npm test`: every gate, then every test of every level, once; in CI, or with RASTRO_FAULTS=smoke,
 * the short matrix of faults too. Further arguments are vitest's, and leave the faults out.
 *
 * The last line is `N passed, N failed` (gates, tests and runs of faults counted alike). The exit
 * code is not 0 when anything failed, when no test ran, or when a process of the run was still
 * alive at its end.
 */
import { randomUUID } from 'node:crypto';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { describeVerdict } from './check/describe.ts';
import { runAllGates } from './check/gate.ts';
import { allGates } from './check/gates.ts';
import { clearLeftovers } from './suite/leftovers.ts';
import { runFaults, wantsFaults } from './suite/run-faults.ts';
import { runVitest } from './suite/run-vitest.ts';
import { finalLine, sumOf } from './suite/tally.ts';

const limits = {
  gatesAtOnceMax: 2, runMsMax: 40 * 60_000, faultsMsMax: 20 * 60_000, leftoverGraceMsMax: 10_000,
};

const root = process.cwd();
const mark = { name: 'RASTRO_TEST_RUN', value: randomUUID() };

await runScript((command, does) => {
  example(command.name('npm test --').allowUnknownOption().allowExcessArguments()
    .description('Runs every gate, then every test of every level, once; in CI, or with'
      + ' RASTRO_FAULTS=smoke, the short matrix of faults too.')
    .argument('[filters...]', 'arguments of vitest; they leave the faults out')
    .action(does((_ports, filters: readonly string[]) => test(filters))),
  'npm test -- test/unit/domain',
  'Exit codes: 0 all passed, 1 something failed, no test ran or a process was left, 2 wrong use.');
});

async function test(filters: readonly string[]): Promise<number> {
  const withFaults = filters.length === 0 && wantsFaults(process.env);

  const verdicts = await runAllGates(allGates(), root, limits.gatesAtOnceMax, (verdict) => {
    console.log(describeVerdict(verdict));
  });
  const gatesPassed = verdicts.filter((verdict) => verdict.passed).length;

  const tests = await runVitest({ root, filters, mark, runMsMax: limits.runMsMax });
  const ran = tests.passed + tests.failed;
  if (ran === 0) console.error('no test ran');

  const faults = withFaults
    ? await runFaults({ root, mark, runMsMax: limits.faultsMsMax })
    : { passed: 0, failed: 0, skipped: 0 };

  const leftovers = await clearLeftovers(`${mark.name}=${mark.value}`, limits.leftoverGraceMsMax);
  for (const { pid, command } of leftovers) {
    console.error(`left behind by the tests, and now killed: ${pid} ${command}`);
  }

  const total = sumOf([
    { passed: gatesPassed, failed: verdicts.length - gatesPassed, skipped: 0 },
    tests,
    faults,
    { passed: 0, failed: leftovers.length + (ran === 0 ? 1 : 0), skipped: 0 },
  ]);
  console.log(finalLine(total));
  return total.failed === 0 ? 0 : 1;
}
