import type { TestCluster } from '../../faults/cluster/cluster.ts';

/** Addresses of `/metrics` of a cluster, by the jobs that the rules know. */
export function targetsOf({ processes }: TestCluster): Readonly<Record<string, readonly string[]>> {
  const of = (start: string): readonly string[] => [...processes.values()]
    .filter(({ name }) => name.startsWith(start)).map(({ adminUrl }) => adminUrl);
  return { gateways: of('gateway'), workers: of('workers'), parties: of('parties') };
}
