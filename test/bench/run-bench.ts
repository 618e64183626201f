import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBenchCluster } from './cluster.ts';
import { machineFacts } from './measure/machine.ts';
import type { BenchReport } from './measured.ts';
import { pageOf } from './report.ts';
import { measureAnalysts } from './rows/analyst.ts';
import { measureBackup } from './rows/backup.ts';
import { measureOverload } from './rows/overload.ts';
import { measureLate } from './rows/late.ts';
import { measureRestarts } from './rows/restart.ts';
import { runEdge, type EdgeSize, type PeerName } from './rows/run-edge.ts';
import { CHAIN, runStores, STORE_ROWS } from './rows/run-stores.ts';
import { measureStrangers } from './rows/stranger.ts';
import { firstSeconds } from './seconds.ts';

const WARM_UP_MS = 1_000;
const PEER_PORTS = 50;

/** Kinds of rows, in the order in which they are measured. */
export const ROWS = [
  ...STORE_ROWS, 'late', 'analyst', 'backup', 'restart', 'stranger', 'edge', 'overload',
] as const;

/** One kind of row. */
export type RowName = (typeof ROWS)[number];

/** Measured unless others are named: what takes minutes at one pace is not among them. */
export const DEFAULT_ROWS = ROWS.filter((row) => row !== 'sustained');

/** What `npm run bench` was asked to do. */
export interface BenchOptions {
  readonly rows: readonly RowName[];
  readonly peers: readonly PeerName[];
  readonly sizes: readonly EdgeSize[];
  readonly rounds: number;
  readonly roundMs: number;
  readonly devices: number;
  /** Sizes of fleets that the state store is to know, the smallest first. */
  readonly known: readonly number[];
  /** Rising numbers of shipments that the state store is to know when it crashes. */
  readonly aged: readonly number[];
  readonly sustainMs: number;
  readonly sustainLocationsPerSecond: number;
  readonly port: number;
  /** Downloads and builds of peers. */
  readonly cacheDir: string;
  /** Folder of the table and the JSON; undefined to print only. */
  readonly outDir: string | undefined;
}

/** Measures the rows, one after the other; gives the exit code. */
export async function runBench(
  options: BenchOptions, command: string, print: (text: string) => void,
): Promise<number> {
  const report: BenchReport = {
    command, machine: machineFacts(), edge: [],
  };
  const nextSecond = firstSeconds(Date.now());
  const cluster = await openBenchCluster(options.port, options.devices);
  try {
    const storeRows = STORE_ROWS.filter((row) => options.rows.includes(row));
    if (storeRows.length > 0 || options.rows.includes('overload')) {
      await runStores(cluster, { ...options, rows: storeRows, nextSecond }, report);
    }
    if (options.rows.includes('late')) report.late = await measureLate(cluster);
    if (options.rows.includes('analyst')) report.analysts = await measureAnalysts(cluster);
    if (options.rows.includes('backup')) report.backup = await measureBackup(cluster);
    if (options.rows.includes('restart')) {
      report.restarts = await measureRestarts(cluster, options.aged, nextSecond);
    }
    if (options.rows.includes('stranger')) report.strangers = await measureStrangers(cluster);
    if (options.rows.includes('edge')) {
      for (const worker of cluster.local.workers) await worker.stop();
      report.edge = await runEdge(cluster, {
        ...options, nextSecond, warmUpMs: WARM_UP_MS, firstPort: options.port + PEER_PORTS,
        onRow: (row) => { print(`${JSON.stringify(row)}\n`); },
      });
    }
  } finally {
    await cluster.close();
  }
  const peak = (report.chain?.locationsPerSecond ?? 0) / CHAIN.locations;
  if (options.rows.includes('overload') && peak > 0) {
    // Kept before, since overload starts its own cluster and may fail alone.
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
