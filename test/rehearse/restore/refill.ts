import { join, resolve } from 'node:path';
import { run } from '../../../infra/local/command.ts';
import { OF_NO_PROCESS, workerEnv } from '../../faults/cluster/process-env.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const REBUILD_MS_MAX = 240_000;

/** `rastro rebuild clickhouse`, as an operator would run it; answers what it said. */
export async function refillTables({ env, secrets, addresses, dir }: TestCluster): Promise<string> {
  const said = await run(process.execPath, [
    join(ROOT_DIR, 'services', 'cli', 'main.ts'), 'rebuild', 'clickhouse',
  ], {
    cwd: dir, deadlineMs: REBUILD_MS_MAX,
    env: {
      ...env, ...workerEnv(secrets), ...OF_NO_PROCESS,
      CLICKHOUSE_USER: addresses.clickhouse_user,
      CLICKHOUSE_PASSWORD: addresses.clickhouse_password,
    },
  });
  return said.trim().split('\n').at(-1) ?? '';
}
