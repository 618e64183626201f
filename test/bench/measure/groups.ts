import { PART_NAMES, type PartName } from '../../../infra/local/part.ts';
import type { BenchCluster } from '../cluster.ts';
import { cpuUs } from './cpu.ts';

/** Who spends CPU in the chain; `projectors` are all workers but the table-writer. */
export type BenchGroup = PartName | 'gateway' | 'projectors' | 'table-writer';

/** CPU so far by group, in µs. */
export type GroupCpu = Readonly<Record<BenchGroup, number>>;

/** Reads the kernel's counters for every process of the cluster. */
export function groupCpu(cluster: BenchCluster): GroupCpu {
  const { gateways, workers } = cluster.local;
  const parts = PART_NAMES.map((name) => [name, cpuUs([cluster.pidOf(name)])] as const);
  const services = [gateways, ...workers].map((part) => (
    [part.name === 'gateways' ? 'gateway' : part.name, cpuUs([cluster.pidOfService(part)])] as const
  ));
  return Object.fromEntries([...parts, ...services]) as Record<BenchGroup, number>;
}

/** What was spent between two readings, per item. */
export function spentPerItem(before: GroupCpu, after: GroupCpu, items: number): GroupCpu {
  const groups = Object.keys(before) as BenchGroup[];
  return Object.fromEntries(groups.map((group) => (
    [group, (after[group] - before[group]) / items]
  ))) as Record<BenchGroup, number>;
}
