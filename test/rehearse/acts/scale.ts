import { drainCommand } from '../../../services/cli/drain/command.ts';
import { WRITER_NAMES, type ProcessName } from '../../faults/cluster/cluster-processes.ts';
import type { Scenario, FaultEnv } from '../../faults/scenario.ts';
import {
  countPartitions, longer, watchFlow, WRITERS_GROUP, type FlowWatch, type Stops,
} from '../flow-watch.ts';
import { longestWithoutOwner, readAssignments, type Interval } from '../assignments.ts';
import { deed, groupsAtRest, step, underLoad } from '../steps.ts';

/** What comes after a change belongs to it for so long. */
const AFTER_MS = 6_000;
/** So long the flow is watched without a change. */
const USUAL_MS = 12_000;
/**
 * No partition may be without an owner for longer, and a change may add no more between two
 * inserts.
 */
const STOP_MS_MAX = 3_000;
const DRAIN_SECONDS_MAX = 60;
/** Three brokers and eight processes share the machine: full, it would measure itself. */
const CALLS_PER_SECOND = 20;
const [FIRST, SECOND, ...OTHERS] = WRITER_NAMES;
const MORE: readonly ProcessName[] = [SECOND, ...OTHERS];

/** Three brokers, two gateways, and one table-writer that becomes four and then two. */
export const scale: Scenario = {
  name: 'scale',
  does: 'table-writers 1 → 4 → 2 beside three brokers and two gateways, at '
    + `${CALLS_PER_SECOND} calls a second`,
  aims: ['I1', 'I2', 'I9', 'I14', 'I16', 'I17'], seconds: 1, isBalanced: true,
  callsPerSecond: CALLS_PER_SECOND,
  ownCluster: {
    brokers: 3,
    processes: ['gateway-1', 'gateway-2', 'projectors', 'parties', FIRST, ...MORE],
  },
  plan: () => [{ atMs: 0, fault: deed('scale', 'table-writers', async (faultEnv) => {
    await step(faultEnv, 'one writer is left of four', () => leave(faultEnv, MORE));
    const watch = watchFlow(faultEnv.cluster);
    try {
      await underLoad(AFTER_MS);
      const one = await usual(faultEnv, watch, '1');
      const out = await changed(faultEnv, watch, '1 → 4', () => comeBack(faultEnv, MORE));
      const four = await usual(faultEnv, watch, '4');
      const back = await changed(faultEnv, watch, '4 → 2', () => leave(faultEnv, OTHERS));
      const two = await usual(faultEnv, watch, '2');
      const stopsMs = [
        await stopOf(faultEnv, '1 → 4', out, longer(one, four)),
        await stopOf(faultEnv, '4 → 2', back, longer(four, two)),
      ];
      if (Math.max(...stopsMs) > STOP_MS_MAX) {
        throw new Error(`A change held the flow up for ${ms(Math.max(...stopsMs))}, more than `
          + `${ms(STOP_MS_MAX)}.`);
      }
    } finally {
      await watch.end();
    }
  }) }],
};

/** How long so many writers usually pause between two inserts. */
async function usual(faultEnv: FaultEnv, watch: FlowWatch, writers: string): Promise<Stops> {
  watch.begin();
  await underLoad(USUAL_MS);
  return reportStops(faultEnv, `no change at ${writers}`, watch.read());
}

/** Makes a change and answers the longest stops until some seconds after it, and when that was. */
async function changed(
  faultEnv: FaultEnv, watch: FlowWatch, what: string, change: () => Promise<unknown>,
): Promise<Stops & Interval> {
  const fromMs = Date.now();
  watch.begin();
  await step(faultEnv, what, change);
  await underLoad(AFTER_MS);
  return { ...reportStops(faultEnv, what, watch.read()), fromMs, toMs: Date.now() };
}

function reportStops({ remark }: FaultEnv, what: string, stops: Stops): Stops {
  const { inserts, partition, reading } = stops;
  remark(`${what}: longest stop ${ms(inserts)} between inserts, ${ms(partition)} of one partition `
    + `(a reading took at most ${ms(reading)})`);
  return stops;
}

/**
 * The stop that a change made, in ms: how long a partition had no owner, or what came on top of the
 * usual time between inserts, whichever is longer. The time between two commits of one partition is
 * reported only: it holds two inserts, and their time depends on the machine.
 */
async function stopOf(
  { cluster, remark }: FaultEnv, what: string, stops: Stops & Interval, usually: Stops,
): Promise<number> {
  const assignments = readAssignments(cluster.dir, WRITER_NAMES, WRITERS_GROUP);
  const ownerlessMs = longestWithoutOwner(assignments, await countPartitions(cluster), stops);
  const addedMs = Math.max(0, stops.inserts - usually.inserts);
  remark(`${what}: partitions were unassigned for ${ms(ownerlessMs)} at most; `
    + `the change added ${ms(addedMs)} to the longest time between inserts`);
  return Math.max(ownerlessMs, addedMs);
}

async function comeBack({ cluster }: FaultEnv, names: readonly ProcessName[]): Promise<void> {
  await Promise.all(names.map((name) => cluster.process(name).comeBack()));
  await groupsAtRest(cluster, 'the coming of writers');
}

/** As an operator takes processes out: `rastro drain --pid`, all of them at once. */
async function leave({ cluster }: FaultEnv, names: readonly ProcessName[]): Promise<void> {
  await Promise.all(names.map((name) => cluster.process(name).leave(async (pid) => {
    const args = ['--pid', String(pid), '--max-seconds', String(DRAIN_SECONDS_MAX)];
    const report = await drainCommand(cluster.operator, args);
    if (report.exitCode !== 0) throw new Error(`${name}: ${report.lines.join(' ')}`);
  })));
  await groupsAtRest(cluster, 'the leaving of writers');
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
