import { PART_NAMES, type PartName } from '../../../infra/local/part.ts';
import type { BenchHouse } from '../house.ts';
import { cpuUs } from './cpu.ts';

/** Who spends CPU in the chain; `projectors` are all workers but the table-writer. */
export type Group = PartName | 'gateway' | 'projectors' | 'table-writer';

/** CPU so far by group, in µs. */
export type GroupCpu = Readonly<Record<Group, number>>;

/** Reads the kernel's books for every process of the house. */
export function groupCpu(house: BenchHouse): GroupCpu {
  const { gateways, workers } = house.local;
  const parts = PART_NAMES.map((name) => [name, cpuUs([house.pidOf(name)])] as const);
  const services = [gateways, ...workers].map((part) => (
    [part.name === 'gateways' ? 'gateway' : part.name, cpuUs([house.pidOfService(part)])] as const
  ));
  return Object.fromEntries([...parts, ...services]) as Record<Group, number>;
}

/** What was spent between two readings, per item. */
export function spentPerItem(before: GroupCpu, after: GroupCpu, items: number): GroupCpu {
  const groups = Object.keys(before) as Group[];
  return Object.fromEntries(groups.map((group) => (
    [group, (after[group] - before[group]) / items]
  ))) as Record<Group, number>;
}
