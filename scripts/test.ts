/**
 * `npm test`: every gate, then every test of every level, once. Further arguments are vitest's.
 *
 * The last line is `N passed, N failed` (gates and tests counted alike). The exit code is not 0
 * when anything failed, when no test ran, or when a process of the run was still alive at its end.
 */
import { randomUUID } from 'node:crypto';
import { describeVerdict } from './check/describe.ts';
import { judgeAll } from './check/gate.ts';
import { allGates } from './check/gates.ts';
import { clearLeftovers } from './suite/leftovers.ts';
import { runVitest } from './suite/run-vitest.ts';
import { finalLine, sumOf } from './suite/tally.ts';

const limits = { gatesAtOnceMax: 2, runMsMax: 40 * 60_000, leftoverGraceMsMax: 10_000 };

const root = process.cwd();
const mark = { name: 'RASTRO_TEST_RUN', value: randomUUID() };

const verdicts = await judgeAll(allGates(), root, limits.gatesAtOnceMax, (verdict) => {
  console.log(describeVerdict(verdict));
});
const gatesPassed = verdicts.filter((verdict) => verdict.passed).length;

const filters = process.argv.slice(2);
const tests = await runVitest({ root, filters, mark, runMsMax: limits.runMsMax });
const ran = tests.passed + tests.failed;
if (ran === 0) console.error('no test ran');

const leftovers = await clearLeftovers(`${mark.name}=${mark.value}`, limits.leftoverGraceMsMax);
for (const { pid, command } of leftovers) {
  console.error(`left behind by the tests, and now killed: ${pid} ${command}`);
}

const total = sumOf([
  { passed: gatesPassed, failed: verdicts.length - gatesPassed, skipped: 0 },
  tests,
  { passed: 0, failed: leftovers.length + (ran === 0 ? 1 : 0), skipped: 0 },
]);
console.log(finalLine(total));
process.exitCode = total.failed === 0 ? 0 : 1;
