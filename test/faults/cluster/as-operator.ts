import { join, resolve } from 'node:path';
import { run } from '../../../infra/local/command.ts';
import type { TestCluster } from './cluster.ts';
import { OF_NO_PROCESS, workerEnv } from './process-env.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const COMMAND_MS_MAX = 240_000;

/** Runs `rastro` with these words, as an operator would; answers the lines that it said. */
export async function asOperator(
  { env, secrets, addresses, dir }: TestCluster, ...words: readonly string[]
): Promise<readonly string[]> {
  const said = await run(process.execPath, [
    join(ROOT_DIR, 'services', 'cli', 'main.ts'), ...words,
  ], {
    cwd: dir, deadlineMs: COMMAND_MS_MAX,
    env: {
      ...env, ...workerEnv(secrets), ...OF_NO_PROCESS, RASTRO_SECRET_PEPPER: secrets.secretPepper,
      CLICKHOUSE_USER: addresses.clickhouse_user,
      CLICKHOUSE_PASSWORD: addresses.clickhouse_password,
    },
  });
  return said.trim().split('\n');
}
