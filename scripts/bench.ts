/** `npm run bench`: cost, speed and freshness, beside the floor and the peers (test/bench). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBenchHouse, type BenchHouse } from '../test/bench/house.ts';
import { openShooter } from '../test/bench/load/open-shooter.ts';
import { machineFacts } from '../test/bench/measure/machine.ts';
import { pageOf, type BenchReport } from '../test/bench/report.ts';
import { measureCatchUp } from '../test/bench/rows/catch-up.ts';
import { measureChain, type ChainPlan } from '../test/bench/rows/chain.ts';
import { diskUse, mergedSize } from '../test/bench/rows/disk.ts';
import { measureFreshness } from '../test/bench/rows/freshness.ts';
import { postRecordedTracks } from '../test/bench/rows/recorded-tracks.ts';
import { runEdge } from '../test/bench/rows/run-edge.ts';
import { firstSeconds } from '../test/bench/seconds.ts';
import { openLastStates, openStore } from '../test/bench/store.ts';
import { readOptions, USAGE, type BenchOptions } from './bench/options.ts';
import { runMain } from './suite/run-main.ts';

const CHAIN = { locations: 10, lines: 64 };
const CHAIN_MS = 15_000;
const FRESHNESS_MS = 20_000;
const AWAY_MS = 20_000;
const WARM_UP_MS = 1_500;
const PEER_PORTS = 50;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    print(USAGE);
    return 0;
  }
  const args = process.argv.slice(2);
  const report: BenchReport = {
    command: ['npm run bench', ...(args.length > 0 ? ['--'] : []), ...args].join(' '),
    machine: machineFacts(), edge: [],
  };
  const house = await openBenchHouse(options.port, options.devices);
  try {
    const nextSecond = firstSeconds(Date.now());
    await measureStores(options, house, report, nextSecond);
    if (options.rows.includes('edge')) {
      for (const worker of house.system.workers) await worker.stop();
      report.edge = await runEdge(house, {
        ...options, nextSecond, warmUpMs: WARM_UP_MS, firstPort: options.port + PEER_PORTS,
        onRow: (row) => { print(`${JSON.stringify(row)}\n`); },
      });
    }
  } finally {
    await house.close();
  }
  const page = pageOf(report);
  print(page);
  if (options.outDir !== undefined) {
    mkdirSync(options.outDir, { recursive: true });
    writeFileSync(join(options.outDir, 'bench.md'), page);
    writeFileSync(join(options.outDir, 'bench.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  }
  return page.includes('**Wrong') ? 1 : 0;
}

/** The rows that need the workers: at full speed first, which tells what half of it is. */
async function measureStores(
  { rows }: BenchOptions, house: BenchHouse, report: BenchReport, nextSecond: () => number,
): Promise<void> {
  if (rows.every((row) => row === 'edge')) return;
  const shooter = openShooter();
  const tables = openStore(house.system);
  const last = openLastStates(house.system);
  const plan = (ms: number, postsPerSecond: number): ChainPlan => (
    { ...CHAIN, ms, postsPerSecond, firstSecond: nextSecond() }
  );
  try {
    const isOfDisk = rows.includes('disk');
    const empty = await tables.size();
    if (isOfDisk) await postRecordedTracks(house, tables);
    const recorded = isOfDisk ? await mergedSize(tables) : empty;
    const full = await measureChain(house, shooter, tables, plan(CHAIN_MS, 0));
    report.chain = full;
    const half = full.locationsPerSecond / CHAIN.locations / 2;
    if (rows.includes('freshness')) {
      report.freshness = await measureFreshness(
        house, shooter, { tables, last }, plan(FRESHNESS_MS, half),
      );
    }
    if (rows.includes('catch-up')) {
      report.catchUp = await measureCatchUp(house, shooter, tables, plan(AWAY_MS, half / 2));
    }
    if (isOfDisk) {
      report.disk = {
        recorded: diskUse(empty, recorded),
        simulated: diskUse(recorded, await mergedSize(tables)),
      };
    }
  } finally {
    last.close();
    await tables.close();
    await shooter.close();
  }
}

function print(text: string): void {
  process.stdout.write(text);
}

await runMain(main, 2);
