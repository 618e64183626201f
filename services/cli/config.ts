import type { OperatorConfig } from './assemble.ts';

/** Reads the addresses and the pepper; throws one sentence that names everything missing. */
export function readOperatorConfig(env: NodeJS.ProcessEnv): OperatorConfig {
  const missing = ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'RASTRO_SECRET_PEPPER']
    .filter((name) => !env[name]);
  if (missing.length > 0) {
    throw new Error(`Set ${missing.join(', ')} (npm start writes them to .rastro/env).`);
  }
  return {
    brokers: (env['KAFKA_BROKERS'] ?? '').split(','),
    registryUrl: env['SCHEMA_REGISTRY_URL'] ?? '',
    kafkaClient: env['RASTRO_KAFKA_CLIENT'] === 'kafkajs' ? 'kafkajs' : 'platformatic',
    secretPepper: env['RASTRO_SECRET_PEPPER'] ?? '',
    vaultKey: env['RASTRO_VAULT_KEY'],
    partySecret: env['RASTRO_PARTY_SECRET'],
    personalKey: env['RASTRO_PERSONAL_KEY'],
    imageDir: env['RASTRO_IMAGE_DIR'],
    imageKey: env['RASTRO_IMAGE_KEY'],
    redisUrl: env['REDIS_URL'],
    tables: tablesIn(env),
    redisCluster: env['RASTRO_REDIS_CLUSTER'] === 'true',
  };
}

function tablesIn(env: NodeJS.ProcessEnv): OperatorConfig['tables'] {
  const { CLICKHOUSE_URL: url, CLICKHOUSE_USER: user, CLICKHOUSE_PASSWORD: password } = env;
  if (url === undefined || user === undefined || password === undefined) return undefined;
  return { url, user, password, database: env['CLICKHOUSE_DATABASE'] ?? 'tracking' };
}
