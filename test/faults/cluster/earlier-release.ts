import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../infra/local/command.ts';
import type { StackEnv } from '../../../infra/local/stack-env.ts';

/** What a release needs to make topics and tables and to run, beside its packages. */
const PARTS = ['services', 'schemas', 'infra', 'scripts', 'package.json'];
const GIT_MS_MAX = 60_000;
const JOB_MS_MAX = 240_000;

/**
 * Lays the product as it was at a commit into `target`. Its packages are those of today: a release
 * whose packages differ by more than that is not what ran then.
 */
export async function checkOut(root: string, target: string, commit: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  const archive = join(target, 'release.tar');
  const limits = { cwd: root, deadlineMs: GIT_MS_MAX };
  await run('git', ['archive', '--format=tar', '--output', archive, commit, ...PARTS], limits);
  await run('tar', ['-xf', archive, '-C', target], limits);
  rmSync(archive);
  symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'));
}

/** Runs the jobs of a release: topics with their rights and schemas, then tables. */
export async function runJobs(
  productDir: string, stack: StackEnv, database: string, replicas: number,
): Promise<void> {
  const env = {
    KAFKA_BROKERS: stack.KAFKA_BROKERS,
    SCHEMA_REGISTRY_URL: stack.SCHEMA_REGISTRY_URL,
    CLICKHOUSE_URL: stack.CLICKHOUSE_URL,
    CLICKHOUSE_USER: stack.CLICKHOUSE_USER,
    CLICKHOUSE_PASSWORD: stack.CLICKHOUSE_PASSWORD,
    CLICKHOUSE_DATABASE: database,
  };
  for (const job of [['topics.ts', '--replicas', String(replicas)], ['migrate.ts']]) {
    const [script = '', ...args] = job;
    await run(process.execPath, [join(productDir, 'scripts', script), ...args], {
      cwd: productDir, deadlineMs: JOB_MS_MAX, env,
    });
  }
}
