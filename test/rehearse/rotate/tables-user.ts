import { join } from 'node:path';
import { writeClickHouseConfig } from '../../../infra/local/clickhouse-config.ts';
import { credentialsFileOf, credentialsOf } from '../../../infra/local/credentials.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import type { ProcessName } from '../../faults/cluster/cluster-processes.ts';
import type { FaultEnv } from '../../faults/scenario.ts';
import { restartAs, step } from '../steps.ts';
import { mustBeRefused } from './part-users.ts';

const MEMORY_BYTES_MAX = 4_000_000_000;
const QUERY_MS_MAX = 5_000;
/** Who inserts. */
const WRITERS: readonly ProcessName[] = ['workers-1', 'workers-2'];

/**
 * The local engine knows users by a file that it reads at its start, with one password each. So the
 * tables are away for a moment, and inserts fail until their writers have changed: they wait.
 */
export async function rotateTablesUser(faultEnv: FaultEnv, ingest: string): Promise<void> {
  const { cluster } = faultEnv;
  const dir = join(cluster.dir, 'stack', 'clickhouse');
  const credentials = credentialsOf(credentialsFileOf(dir));
  await step(faultEnv, 'tables: another password, and writers that know it', async () => {
    writeClickHouseConfig({
      dir, credentials: { ...credentials, ingest }, databases: ['tracking'],
      memoryBytesMax: MEMORY_BYTES_MAX,
    });
    await cluster.clickhouse.restart();
    for (const name of WRITERS) {
      await restartAs(cluster, name, { env: { CLICKHOUSE_INGEST_PASSWORD: ingest } });
    }
  });
  await mustBeRefused('the tables', () => ask(cluster, credentials.ingest));
}

async function ask({ addresses }: TestCluster, password: string): Promise<void> {
  const answer = await fetch(`${addresses.clickhouse_url}/?query=SELECT+1`, {
    method: 'POST',
    headers: { 'X-ClickHouse-User': 'ingest', 'X-ClickHouse-Key': password },
    signal: AbortSignal.timeout(QUERY_MS_MAX),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
}
