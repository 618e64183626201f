/**
 * `npm test`: every gate, then every test of every level, once. In CI, or with RASTRO_FAULTS=smoke,
 * the short matrix of faults follows. In CI, or by RASTRO_REHEARSALS, a real API server, real
 * containers and a client of strangers do, as far as they fit (ADR 0082). Further
 * arguments are vitest's, and leave both out.
 *
 * The last line is `N passed, N failed` (gates, tests, runs of faults and acts counted alike); a
 * line says what was not rehearsed and why. The exit code is not 0 when anything failed, when no
 * test ran, or when a process of the run was still alive at its end.
 */
import { randomUUID } from 'node:crypto';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { describeVerdict } from './check/describe.ts';
import { runAllGates } from './check/gate.ts';
import { allGates } from './check/gates.ts';
import { clearLeftovers } from './suite/leftovers.ts';
import { rehearsalLine, wantedRehearsals } from './suite/rehearsals.ts';
import { runFaults, wantsFaults } from './suite/run-faults.ts';
import { runRehearsals } from './suite/run-rehearsals.ts';
import { runVitest } from './suite/run-vitest.ts';
import { firstSignal } from './suite/signals.ts';
import { finalLine, sumOf } from './suite/tally.ts';

const limits = {
  gatesAtOnceMax: 2, runMsMax: 48 * 60_000, faultsMsMax: 20 * 60_000, leftoverGraceMsMax: 10_000,
  // Faults end by then, counted from the start, so that a slow machine still says what failed.
  faultsEndMsMax: 57 * 60_000,
  // Rehearsals end by then, counted from the start: a build server allows an hour.
  allMsMax: 44 * 60_000,
};

const root = process.cwd();
const mark = { name: 'RASTRO_TEST_RUN', value: randomUUID() };

await runScript((command, does) => {
  example(command.name('npm test --').allowUnknownOption().allowExcessArguments()
    .description('Runs every gate, then every test of every level, once; in CI, or with'
      + ' RASTRO_FAULTS=smoke, the short matrix of faults too; in CI, or with RASTRO_REHEARSALS=all,'
      + ' overlays, containers or bruno, those rehearsals as far as they fit into 44 minutes.')
    .argument('[filters...]', 'arguments of vitest, such as paths of tests or --changed for what'
      + ' your changes touch; they leave faults and rehearsals out')
    .action(does((_ports, filters: readonly string[]) => test(filters))),
  'npm test -- --changed main',
  'Exit codes: 0 all passed, 1 something failed, no test ran or a process was left, 2 wrong use.');
});

async function test(filters: readonly string[]): Promise<number> {
  const withFaults = filters.length === 0 && wantsFaults(process.env);
  const rehearsals = filters.length === 0 ? wantedRehearsals(process.env) : [];

  const verdicts = await runAllGates(allGates(), root, limits.gatesAtOnceMax, (verdict) => {
    console.log(describeVerdict(verdict));
  });
  const gatesPassed = verdicts.filter((verdict) => verdict.passed).length;

  const leaving = firstSignal().signal;
  const tests = await runVitest({ root, filters, mark, runMsMax: limits.runMsMax });
  const ran = tests.passed + tests.failed;
  if (ran === 0) console.error('no test ran');

  // A signal that ended the tests leaves out what would follow them.
  const faults = withFaults && !leaving.aborted
    ? await runFaults({
      root, mark,
      runMsMax: Math.min(limits.faultsMsMax, limits.faultsEndMsMax - performance.now()),
    })
    : { passed: 0, failed: 0, skipped: 0 };

  const rehearsed = await runRehearsals(
    rehearsals, { root, mark, endMs: limits.allMsMax, leaving },
  );

  const leftovers = await clearLeftovers(`${mark.name}=${mark.value}`, limits.leftoverGraceMsMax);
  for (const { pid, command } of leftovers) {
    console.error(`left behind by the tests, and now killed: ${pid} ${command}`);
  }

  const total = sumOf([
    { passed: gatesPassed, failed: verdicts.length - gatesPassed, skipped: 0 },
    tests,
    faults,
    ...rehearsed,
    { passed: 0, failed: leftovers.length + (ran === 0 ? 1 : 0), skipped: 0 },
  ]);
  if (rehearsed.length > 0) console.log(rehearsalLine(rehearsed));
  console.log(finalLine(total));
  return total.failed === 0 ? 0 : 1;
}
