/** Runs every gate of the repository and fails when one complains or saw no work. */
import { allGates } from './check/gates.ts';
import { judgeAll } from './check/gate.ts';
import { describeVerdict } from './check/describe.ts';

const gatesAtOnceMax = 2;

const root = process.cwd();
const only = process.argv.slice(2);
const gates = allGates().filter((gate) => only.length === 0 || only.includes(gate.name));
const verdicts = await judgeAll(gates, root, gatesAtOnceMax, (verdict) => {
  console.log(describeVerdict(verdict));
});
const failed = verdicts.filter((verdict) => !verdict.passed);
process.exitCode = verdicts.length > 0 && failed.length === 0 ? 0 : 1;
