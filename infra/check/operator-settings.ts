/** Where an operator's setting comes from. */
type Source =
  /** The command line that we ship. */
  | 'command line'
  /** The same, where the nightly Pod of that name is there too. */
  | 'rastro-archive' | 'rastro-backup'
  /** Said with the call, or decided by a deployment that has reasons. */
  | 'caller' | 'deployment'
  /** Not a setting: a name in the code that has the form of one. */
  | 'code';

/** Every setting that `services/cli` reads, with who supplies it. */
export const OPERATOR_SETTINGS: Readonly<Record<string, Source>> = {
  KAFKA_BROKERS: 'command line', SCHEMA_REGISTRY_URL: 'command line', REDIS_URL: 'command line',
  CLICKHOUSE_URL: 'command line', CLICKHOUSE_USER: 'command line',
  CLICKHOUSE_PASSWORD: 'command line', CLICKHOUSE_DATABASE: 'command line',
  ANALYST_USER: 'command line', ANALYST_PASSWORD: 'command line',
  RASTRO_SECRET_PEPPER: 'command line', RASTRO_VAULT_KEY: 'command line',
  RASTRO_PERSONAL_KEY: 'command line', RASTRO_IMAGE_DIR: 'command line', RASTRO_IMAGE_KEY: 'command line',
  RASTRO_ARCHIVE_STORAGE: 'rastro-archive', RASTRO_ARCHIVE_ACCESS_KEY_ID: 'rastro-archive',
  RASTRO_ARCHIVE_SECRET_ACCESS_KEY: 'rastro-archive',
  RASTRO_BACKUP_STORAGE: 'rastro-backup', RASTRO_BACKUP_ACCESS_KEY_ID: 'rastro-backup',
  RASTRO_BACKUP_SECRET_ACCESS_KEY: 'rastro-backup',
  RASTRO_PARTY_SECRET: 'caller', RASTRO_ACTOR: 'caller',
  // `rastro conformance` examines a platform of others.
  RASTRO_URL: 'caller', RASTRO_CLIENT_ID: 'caller', RASTRO_CLIENT_SECRET: 'caller',
  RASTRO_COUNTRY: 'caller', RASTRO_FINAL_CODE: 'caller', RASTRO_PROVIDER: 'caller',
  RASTRO_PROVIDER_COMMAND_TOKEN: 'caller', RASTRO_TOKEN_URL: 'caller', RASTRO_ANALYSTS_DIR: 'caller',
  KAFKA_TLS: 'deployment', CLICKHOUSE_REPLICAS: 'deployment', RASTRO_KAFKA_CLIENT: 'deployment',
  RASTRO_ARCHIVE_REGION: 'deployment', RASTRO_REDIS_CLUSTER: 'deployment',
  RASTRO_REDIS_CLUSTER_NODES: 'deployment', RASTRO_REDIS_SENTINELS: 'deployment',
  RASTRO_REDIS_SENTINEL_PRIMARY: 'deployment', RASTRO_REDIS_SENTINEL_USERNAME: 'deployment',
  RASTRO_REDIS_SENTINEL_PASSWORD: 'deployment',
  CLICKHOUSE_LIMITS: 'code', REDIS_DEFAULTS: 'code',
};
