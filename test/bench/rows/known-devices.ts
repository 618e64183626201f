import { readFileSync } from 'node:fs';
import type { BenchFleet } from '../fleet.ts';
import type { BenchCluster } from '../cluster.ts';
import type { Shooter } from '../load/open-shooter.ts';
import type { BenchTables } from '../store.ts';
import { measureChain, type ChainCost, type ChainPlan } from './chain.ts';

/** What it costs to know so many devices, while some of them send. */
export interface KnownDevicesRow extends ChainCost {
  readonly known: number;
  readonly sending: number;
  readonly storeBytes: number;
  /** Resident memory of the gateway, and of all workers but the table-writer. */
  readonly gatewayBytes: number;
  readonly workerBytes: number;
  readonly wrong: readonly string[];
}

/** Most devices of a fleet that send. */
export const SENDING_MAX = 10_000;
const PAGE_BYTES = 4_096;

/** Measures the chain once for each size of fleet, the smallest first. */
export async function measureKnownDevices(
  cluster: BenchCluster, shooter: Shooter, store: BenchTables, fleet: BenchFleet,
  sizes: readonly number[],
  plan: () => ChainPlan,
): Promise<readonly KnownDevicesRow[]> {
  const rows: KnownDevicesRow[] = [];
  for (const known of sizes) {
    await fleet.growTo(known);
    const senders = fleet.spread(SENDING_MAX, known);
    const { cpuUs, mergesUs, oursUs, locationsPerSecond, wrong } = await measureChain(
      { ...cluster, senders }, shooter, store, plan(),
    );
    rows.push({
      known, sending: senders.length, cpuUs, mergesUs, oursUs, locationsPerSecond, wrong,
      storeBytes: await fleet.storeBytes(),
      gatewayBytes: residentBytes(cluster.pidOfService(cluster.local.gateways)),
      workerBytes: cluster.local.workers.filter(({ name }) => name === 'projectors')
        .reduce((sum, projectors) => sum + residentBytes(cluster.pidOfService(projectors)), 0),
    });
  }
  return rows;
}

/** Field 2 of /proc/PID/statm, in pages; see proc(5). */
function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
}
