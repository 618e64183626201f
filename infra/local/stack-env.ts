import type { PartName } from './part.ts';

/** Everything a service or a test must know to use the stack; empty where a part was left out. */
export type StackEnv = {
  /** Without a login: the launcher's own way, with every right. */
  readonly KAFKA_BROKERS: string;
  /** Where the services log in, each under its own name; see `accessOf`. */
  readonly KAFKA_SASL_BROKERS: string;
  readonly KAFKA_GATEWAYS_PASSWORD: string;
  readonly KAFKA_WORKERS_PASSWORD: string;
  readonly KAFKA_OPERATOR_PASSWORD: string;
  readonly REDIS_URL: string;
  readonly REDIS_GATEWAYS_URL: string;
  readonly REDIS_WORKERS_URL: string;
  readonly REDIS_OPERATOR_URL: string;
  readonly CLICKHOUSE_URL: string;
  readonly CLICKHOUSE_USER: string;
  readonly CLICKHOUSE_PASSWORD: string;
  /** Folder of the users that `rastro analyst` adds; empty where ClickHouse runs elsewhere. */
  readonly RASTRO_ANALYSTS_DIR: string;
  readonly CLICKHOUSE_INGEST_USER: string;
  readonly CLICKHOUSE_INGEST_PASSWORD: string;
  readonly ANALYST_USER: string;
  readonly ANALYST_PASSWORD: string;
  readonly CLICKHOUSE_HISTORY_USER: string;
  readonly CLICKHOUSE_HISTORY_PASSWORD: string;
  readonly CLICKHOUSE_PICTURES_USER: string;
  readonly CLICKHOUSE_PICTURES_PASSWORD: string;
  readonly SCHEMA_REGISTRY_URL: string;
};

/** The variables of a stack with no part at all; each part fills in its own. */
export const EMPTY_STACK_ENV: StackEnv = {
  KAFKA_BROKERS: '',
  KAFKA_SASL_BROKERS: '',
  KAFKA_GATEWAYS_PASSWORD: '',
  KAFKA_WORKERS_PASSWORD: '',
  KAFKA_OPERATOR_PASSWORD: '',
  REDIS_URL: '',
  REDIS_GATEWAYS_URL: '',
  REDIS_WORKERS_URL: '',
  REDIS_OPERATOR_URL: '',
  CLICKHOUSE_URL: '',
  CLICKHOUSE_USER: '',
  CLICKHOUSE_PASSWORD: '',
  RASTRO_ANALYSTS_DIR: '',
  CLICKHOUSE_INGEST_USER: '',
  CLICKHOUSE_INGEST_PASSWORD: '',
  ANALYST_USER: '',
  ANALYST_PASSWORD: '',
  CLICKHOUSE_HISTORY_USER: '',
  CLICKHOUSE_HISTORY_PASSWORD: '',
  CLICKHOUSE_PICTURES_USER: '',
  CLICKHOUSE_PICTURES_PASSWORD: '',
  SCHEMA_REGISTRY_URL: '',
};

const KAFKA_LOGINS = [
  'KAFKA_SASL_BROKERS', 'KAFKA_GATEWAYS_PASSWORD', 'KAFKA_WORKERS_PASSWORD',
  'KAFKA_OPERATOR_PASSWORD',
] as const;

const REDIS_LOGINS = ['REDIS_GATEWAYS_URL', 'REDIS_WORKERS_URL', 'REDIS_OPERATOR_URL'] as const;

/**
 * The variables of a part that runs elsewhere. Where a ClickHouse has only one user, that user
 * also serves as ingest, analyst, history and pictures.
 */
export function externalEnv(
  part: PartName,
  address: string,
  env: NodeJS.ProcessEnv,
): Partial<StackEnv> {
  switch (part) {
    case 'kafka':
      return { KAFKA_BROKERS: address, ...named(env, KAFKA_LOGINS) };
    case 'redis':
      return { REDIS_URL: address, ...named(env, REDIS_LOGINS) };
    case 'registry':
      return { SCHEMA_REGISTRY_URL: address };
    case 'clickhouse': {
      const user = env['CLICKHOUSE_USER'] ?? 'default';
      const password = env['CLICKHOUSE_PASSWORD'] ?? '';
      return {
        CLICKHOUSE_URL: address,
        CLICKHOUSE_USER: user,
        CLICKHOUSE_PASSWORD: password,
        CLICKHOUSE_INGEST_USER: env['CLICKHOUSE_INGEST_USER'] ?? user,
        CLICKHOUSE_INGEST_PASSWORD: env['CLICKHOUSE_INGEST_PASSWORD'] ?? password,
        ANALYST_USER: env['ANALYST_USER'] ?? user,
        ANALYST_PASSWORD: env['ANALYST_PASSWORD'] ?? password,
        CLICKHOUSE_HISTORY_USER: env['CLICKHOUSE_HISTORY_USER'] ?? user,
        CLICKHOUSE_HISTORY_PASSWORD: env['CLICKHOUSE_HISTORY_PASSWORD'] ?? password,
        CLICKHOUSE_PICTURES_USER: env['CLICKHOUSE_PICTURES_USER'] ?? user,
        CLICKHOUSE_PICTURES_PASSWORD: env['CLICKHOUSE_PICTURES_PASSWORD'] ?? password,
      };
    }
  }
}

function named(
  env: NodeJS.ProcessEnv, names: readonly (keyof StackEnv)[],
): Partial<StackEnv> {
  return Object.fromEntries(names.map((name) => [name, env[name] ?? '']));
}
