import type { OperatorConfig, StateAddress } from './assemble.ts';

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
    redis: stateAddressIn(env),
    tables: tablesIn(env),
  };
}

function stateAddressIn(env: NodeJS.ProcessEnv): StateAddress | undefined {
  const { REDIS_URL: url, RASTRO_REDIS_SENTINEL_PRIMARY: primary } = env;
  if (!url) return undefined;
  const list = (name: string): readonly string[] => env[name] ? env[name].split(',') : [];
  return {
    url,
    cluster: env['RASTRO_REDIS_CLUSTER'] === 'true',
    clusterNodes: list('RASTRO_REDIS_CLUSTER_NODES'),
    sentinels: list('RASTRO_REDIS_SENTINELS'),
    ...(primary ? { sentinelPrimary: primary } : {}),
    sentinelUsername: env['RASTRO_REDIS_SENTINEL_USERNAME'],
    sentinelPassword: env['RASTRO_REDIS_SENTINEL_PASSWORD'],
  };
}

function tablesIn(env: NodeJS.ProcessEnv): OperatorConfig['tables'] {
  const { CLICKHOUSE_URL: url, CLICKHOUSE_USER: user, CLICKHOUSE_PASSWORD: password } = env;
  if (url === undefined || user === undefined || password === undefined) return undefined;
  return { url, user, password, database: env['CLICKHOUSE_DATABASE'] ?? 'tracking' };
}
