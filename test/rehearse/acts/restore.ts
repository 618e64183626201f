import { readClickhouse } from '../../faults/checker/collect/clickhouse.ts';
import { readRedis } from '../../faults/checker/collect/redis.ts';
import type { StateDump, StoredRow } from '../../faults/checker/evidence.ts';
import { keptOf } from '../../faults/checker/invariants/i03-replay.ts';
import { canonical } from '../../faults/checker/look.ts';
import type { House } from '../../faults/house/house.ts';
import type { ProcessName } from '../../faults/house/house-processes.ts';
import { settle, SETTLE_MS_MAX } from '../../faults/run/heal.ts';
import type { Scenario, World } from '../../faults/scenario.ts';
import { sha256 } from '../../faults/workload/caller.ts';
import {
  backUpLog, backUpTables, destroyEverything, restoreLog, restoreTables,
} from '../restore/copies.ts';
import { refillTables } from '../restore/refill.ts';
import { deed, step, underLoad } from '../steps.ts';

/** Calls between the backup of the tables and the loss of everything: only the log has them. */
const BETWEEN_MS = 6_000;
const GATEWAYS: readonly ProcessName[] = ['gateway-1', 'gateway-2'];
const WORKERS: readonly ProcessName[] = ['workers-1', 'workers-2', 'parties'];

/** Everything is backed up, destroyed, brought back and compared; then the load goes on. */
export const restore: Scenario = {
  name: 'restore',
  does: 'tables backed up under load, the log at rest; all four parts destroyed and brought back',
  aims: ['I1', 'I2', 'I3', 'I9', 'I14'], seconds: 1, ownHouse: {},
  plan: () => [{ atMs: BETWEEN_MS, fault: deed('loss', 'all four parts', async (world) => {
    const { house } = world;
    await step(world, 'tables backed up under load', () => backUpTables(house));
    await underLoad(BETWEEN_MS);
    await step(world, 'gateways end, workers catch up and end', () => comeToRest(house));
    const before = await copyOf(house);
    await step(world, 'log and registry backed up at rest', () => backUpLog(house));
    await step(world, 'everything is destroyed', () => destroyEverything(house));
    await step(world, 'log and registry are back', () => restoreLog(house));
    const stored = await step(world, 'tables are back as of their backup', () =>
      restoreTables(house));
    await step(world, 'workers are back and have rebuilt the state', () =>
      startAll(house, WORKERS));
    const refilled = await step(world, 'tables are refilled from the log', () =>
      refillTables(house));
    await step(world, 'the state is quiet', () => untilQuiet(house));
    world.note(`ledger: ${stored} records came with the backup; the log again: ${refilled}`);
    compare(world, before, await copyOf(house));
    await step(world, 'gateways are back', () => startAll(house, GATEWAYS));
  }) }],
};

/** What the stores hold, as the checker reads it. */
interface Copy {
  readonly state: StateDump;
  readonly rows: readonly StoredRow[];
}

async function copyOf({ addresses }: House): Promise<Copy> {
  return {
    state: await readRedis(addresses.redis_url), rows: await readClickhouse(addresses),
  };
}

/** Hashes of both stores before and after; throws with the first difference. */
function compare({ note }: World, before: Copy, after: Copy): void {
  const [stateBefore, stateAfter] = [keptOf(before.state), keptOf(after.state)];
  const linesOf = (state: ReadonlyMap<string, string>): readonly string[] =>
    [...state].map(([key, value]) => `${key} ${value}`);
  mustBeSame(note, 'state', linesOf(stateBefore), linesOf(stateAfter));
  mustBeSame(note, 'rows', before.rows.map(canonical), after.rows.map(canonical));
}

function mustBeSame(
  note: World['note'], what: string, before: readonly string[], after: readonly string[],
): void {
  const [was, is] = [before.toSorted(), after.toSorted()];
  const [first, second] = [sha256(was.join('\n')), sha256(is.join('\n'))];
  note(`${what}: ${was.length} before (${first.slice(0, 16)}), ${is.length} after `
    + `(${second.slice(0, 16)})`);
  if (first === second) return;
  const [kept, known] = [new Set(is), new Set(was)];
  const lacking = was.find((line) => !kept.has(line)) ?? 'nothing';
  const strange = is.find((line) => !known.has(line)) ?? 'nothing';
  throw new Error(`The ${what} differs: lacks ${lacking}; has ${strange}.`);
}

/** No further call is taken, and everything taken is in the stores. */
async function comeToRest(house: House): Promise<void> {
  await Promise.all(GATEWAYS.map((name) => house.process(name).leave()));
  await untilQuiet(house);
  await Promise.all(WORKERS.map((name) => house.process(name).leave()));
}

async function startAll(house: House, names: readonly ProcessName[]): Promise<void> {
  await Promise.all(names.map((name) => house.process(name).comeBack()));
}

async function untilQuiet(house: House): Promise<void> {
  const { settled_ms, lag } = await settle(house, performance.now(), 2 * SETTLE_MS_MAX);
  if (settled_ms === null) throw new Error(`The groups stay behind: ${JSON.stringify(lag)}.`);
}
