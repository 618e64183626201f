import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { migrateDatabase } from '../../../infra/clickhouse/migrate-database.ts';
import { makeTopics } from '../../../infra/kafka/make-topics.ts';
import { importSampleCodes } from '../../../infra/local/processes/import-codes.ts';
import { ROOT_DIR } from '../../../infra/local/processes/process.ts';
import type { StackEnv } from '../../../infra/local/stack-env.ts';
import { openKafka, type KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { CHOSEN_CLIENT, wallClock } from '../../support/kafka-logs.ts';
import { checkOut, runJobs } from './earlier-release.ts';
import type { ClusterSecrets } from './cluster-processes.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { addLogUser } from './log-users.ts';

/** Database of the tables. */
export const DATABASE = 'tracking';
const MIGRATIONS = join('infra', 'clickhouse');
const CODES_IMPORT = join('infra', 'local', 'processes', 'import-codes.ts');
const PREPARE_MS_MAX = 90_000;

/** Topics, tables and codes of this tree, of a changed copy, or of an earlier release. */
export async function prepareCluster(
  env: StackEnv, { brokers = 1, changed, commit }: ClusterOptions, earlierDir: string | undefined,
  changedDir: string,
): Promise<void> {
  if (earlierDir === undefined || commit === undefined) {
    const migrations = changed?.isForTables === true ? join(changedDir, MIGRATIONS) : undefined;
    return prepare(env, brokers, migrations);
  }
  await checkOut(ROOT_DIR, earlierDir, commit);
  await runJobs(earlierDir, env, DATABASE, brokers);
  // A release before the catalogue has its codes in its own tree.
  if (existsSync(join(earlierDir, CODES_IMPORT))) await importSampleCodes(env);
}

/** Makes the users of the log while the brokers run. */
export async function addUsers(
  brokers: readonly string[], { logPasswords }: ClusterSecrets,
): Promise<void> {
  const log = openLog(brokers);
  try {
    for (const role of ['gateways', 'workers'] as const) {
      await addLogUser(brokers, log.admin, role, { name: role, password: logPasswords[role] });
    }
  } finally {
    await log.close(Date.now());
  }
}

async function prepare(
  env: StackEnv, replicas: number, migrationsDir: string | undefined,
): Promise<void> {
  await Promise.all([
    makeTopics({
      client: CHOSEN_CLIENT, brokers: env.KAFKA_BROKERS.split(','),
      registryUrl: env.SCHEMA_REGISTRY_URL, replicas,
      deadlineMs: Date.now() + PREPARE_MS_MAX,
    }, silentSignals),
    migrateDatabase({
      url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_USER, password: env.CLICKHOUSE_PASSWORD,
      database: DATABASE,
    }, migrationsDir),
  ]);
  await importSampleCodes(env);
}

/** A direct line to the log, past every proxy. */
export function openLog(brokers: readonly string[]): KafkaLog {
  return openKafka({
    client: CHOSEN_CLIENT,
    brokers, clientId: 'faults', topics: [],
  }, { signals: silentSignals, clock: wallClock, schemaIdOf: () => 0 });
}
