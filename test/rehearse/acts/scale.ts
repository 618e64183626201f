import { drainCommand } from '../../../services/operator/commands/drain.ts';
import { WRITER_NAMES, type ProcessName } from '../../faults/house/house-processes.ts';
import type { Scenario, World } from '../../faults/scenario.ts';
import { watchFlow, type FlowWatch } from '../flow-watch.ts';
import { deed, groupsAtRest, step, underLoad } from '../steps.ts';

/** What comes after a change belongs to it for so long, and so long it is quiet between two. */
const AFTER_MS = 6_000;
/** A change may add so much to what stands still without one; more makes the act red. */
const STOP_MS_MAX = 3_000;
const DRAIN_SECONDS_MAX = 60;
const [FIRST, SECOND, ...OTHERS] = WRITER_NAMES;
const MORE: readonly ProcessName[] = [SECOND, ...OTHERS];

/** Three brokers, two gateways, and one table-writer that becomes four and then two. */
export const scale: Scenario = {
  name: 'scale',
  does: 'table-writers 1 → 4 → 2 beside three brokers and two gateways',
  aims: ['I1', 'I2', 'I9', 'I14', 'I16', 'I17'], seconds: 1, isBalanced: true,
  ownHouse: {
    brokers: 3,
    processes: ['gateway-1', 'gateway-2', 'keepers', 'dispatcher', FIRST, ...MORE],
  },
  plan: () => [{ atMs: 0, fault: deed('scale', 'table-writers', async (world) => {
    await step(world, 'one writer is left of four', () => leave(world, MORE));
    const watch = watchFlow(world.house);
    try {
      await underLoad(AFTER_MS);
      const usualMs = await measured(world, watch, 'no change', () => Promise.resolve());
      mustBeShort('1 → 4', usualMs,
        await measured(world, watch, '1 → 4', () => comeBack(world, MORE)));
      mustBeShort('4 → 2', usualMs,
        await measured(world, watch, '4 → 2', () => leave(world, OTHERS)));
    } finally {
      await watch.end();
    }
  }) }],
};

/** Makes a change and answers the longest stop until some seconds after it, in ms. */
async function measured(
  world: World, watch: FlowWatch, what: string, change: () => Promise<unknown>,
): Promise<number> {
  watch.begin();
  await step(world, what, change);
  await underLoad(AFTER_MS);
  const { inserts, partition, look } = watch.read();
  world.note(`${what}: longest stop ${ms(inserts)} between inserts, ${ms(partition)} of one `
    + `partition (a look took at most ${ms(look)})`);
  return Math.max(inserts, partition);
}

function mustBeShort(what: string, usualMs: number, longestMs: number): void {
  if (longestMs <= usualMs + STOP_MS_MAX) return;
  throw new Error(`${what} held the flow up for ${ms(longestMs)}; without a change it stands still `
    + `for ${ms(usualMs)}, and ${ms(STOP_MS_MAX)} may come on top.`);
}

async function comeBack({ house }: World, names: readonly ProcessName[]): Promise<void> {
  await Promise.all(names.map((name) => house.process(name).comeBack()));
  await groupsAtRest(house, 'the coming of writers');
}

/** As an operator takes processes out: `rastro drain --pid`, all of them at once. */
async function leave({ house }: World, names: readonly ProcessName[]): Promise<void> {
  await Promise.all(names.map((name) => house.process(name).leave(async (pid) => {
    const args = ['--pid', String(pid), '--max-seconds', String(DRAIN_SECONDS_MAX)];
    const report = await drainCommand(house.operator, args);
    if (report.exitCode !== 0) throw new Error(`${name}: ${report.lines.join(' ')}`);
  })));
  await groupsAtRest(house, 'the leaving of writers');
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
