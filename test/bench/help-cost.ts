/**
 * What `rastro --help` takes: `node test/bench/help-cost.ts [rounds]` (9). Wall time and CPU time
 * of one start by the bin of the package, beside the floor, `node -e 0`: medians of rounds that
 * take turns.
 */
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { cpuUs } from './measure/cpu.ts';
import { median } from './measure/statistics.ts';

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const SUBJECTS = [
  ['node -e 0', ['-e', '0']],
  ['rastro --help', ['services/cli/rastro.mjs', '--help']],
  ['rastro lag --help', ['services/cli/rastro.mjs', 'lag', '--help']],
] as const;
/** Starts of a round: the kernel counts CPU in steps of 10 ms. */
const STARTS = 10;
/** Without the folder of npm for compiled code: the bin has one of its own. */
const { NODE_COMPILE_CACHE: _unused, ...ENV } = process.env;
const rounds = Number(process.argv[2] ?? 9);

/** What one start costs. CPU is that of children that were waited for, without our own. */
function costOf(words: readonly string[]): Cost {
  const own = process.cpuUsage();
  const [startUs, startMs] = [cpuUs([process.pid]), performance.now()];
  for (let at = 0; at < STARTS; at += 1) {
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env: ENV });
    if (status !== 0) throw new Error(stderr);
  }
  const wallMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(own);
  const childrenUs = cpuUs([process.pid]) - startUs - user - system;
  return { wallMs: wallMs / STARTS, cpuMs: childrenUs / 1_000 / STARTS };
}

process.stdout.write(`Medians of ${rounds} rounds of ${STARTS} starts, load`
  + ` ${loadavg()[0]?.toFixed(1) ?? '?'} before.\n\n`
  + '| start | wall, ms | CPU, ms | CPU of node -e 0 |\n|---|---|---|---|\n');
const costs = SUBJECTS.map(() => [] as Cost[]);
for (let round = 0; round < rounds; round += 1) {
  for (const [at, [, words]] of SUBJECTS.entries()) costs[at]?.push(costOf(words));
}
const floorMs = median((costs[0] ?? []).map(({ cpuMs }) => cpuMs));
for (const [at, [name]] of SUBJECTS.entries()) {
  const of = costs[at] ?? [];
  const cpuMs = median(of.map((cost) => cost.cpuMs));
  process.stdout.write(`| \`${name}\` | ${median(of.map((cost) => cost.wallMs)).toFixed(0)}`
    + ` | ${cpuMs.toFixed(0)} | ${(cpuMs / floorMs).toFixed(1)} |\n`);
}
