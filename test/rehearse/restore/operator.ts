import { asOperator } from '../../faults/cluster/as-operator.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';

/** `rastro rebuild clickhouse`; answers its last line. */
export async function refillTables(cluster: TestCluster): Promise<string> {
  return (await asOperator(cluster, 'rebuild', 'clickhouse')).at(-1) ?? '';
}
