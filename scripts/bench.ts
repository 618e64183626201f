/** `npm run bench`: cost, speed and freshness, beside the floor and the peers (test/bench). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBenchHouse } from '../test/bench/house.ts';
import { machineFacts } from '../test/bench/measure/machine.ts';
import type { BenchReport } from '../test/bench/measured.ts';
import { pageOf } from '../test/bench/report.ts';
import { measureOverload } from '../test/bench/rows/overload.ts';
import { runEdge } from '../test/bench/rows/run-edge.ts';
import { CHAIN, runStores, STORE_ROWS } from '../test/bench/rows/run-stores.ts';
import { firstSeconds } from '../test/bench/seconds.ts';
import { readOptions, USAGE } from './bench/options.ts';
import { runMain } from './suite/run-main.ts';

const WARM_UP_MS = 1_000;
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
  const nextSecond = firstSeconds(Date.now());
  const house = await openBenchHouse(options.port, options.devices);
  try {
    const storeRows = STORE_ROWS.filter((row) => options.rows.includes(row));
    if (storeRows.length > 0 || options.rows.includes('overload')) {
      await runStores(house, { ...options, rows: storeRows, nextSecond }, report);
    }
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
  const peak = (report.chain?.locationsPerSecond ?? 0) / CHAIN.locations;
  if (options.rows.includes('overload') && peak > 0) {
    // Kept before, since overload works with a house of its own and may fail by itself.
    keep(report, options.outDir);
    report.overload = await measureOverload(options.port, options.devices, peak, nextSecond);
  }
  const page = keep(report, options.outDir);
  print(page);
  return page.includes('**Wrong') ? 1 : 0;
}

/** Writes page and data where a folder is named, and gives the page. */
function keep(report: BenchReport, outDir: string | undefined): string {
  const page = pageOf(report);
  if (outDir !== undefined) {
    mkdirSync(outDir, { recursive: true });
    writeFileSync(join(outDir, 'bench.md'), page);
    writeFileSync(join(outDir, 'bench.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  }
  return page;
}

function print(text: string): void {
  process.stdout.write(text);
}

// Ends as at any other end, so that no peer is left behind; parts of the stack die with us.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => { process.exit(2); });
}
await runMain(main, 2);
