import { accessOf } from '../service-users.ts';
import type { StackEnv } from '../stack-env.ts';
import type { ProcessKind } from './process.ts';

/** How a process reaches the log and the state store, by the names of its settings. */
export type Access = Readonly<Record<string, string>>;

/** Where a process listens, and which database is its own. */
export interface ProcessSite {
  readonly httpPort: number;
  readonly adminPort: number;
  readonly database: string;
}

/**
 * Addresses and users by least privilege: each service logs in as itself, gateways read the
 * history and pictures, workers only write it. `access` replaces the usual way to the log and the
 * state store.
 */
export function processEnv(
  kind: ProcessKind, env: StackEnv, { httpPort, adminPort, database }: ProcessSite,
  access?: Access,
): Record<string, string> {
  if (kind === 'provider') return { RASTRO_PROVIDER_PORT: String(httpPort) };
  return {
    ...(access ?? accessOf(env, kind)),
    SCHEMA_REGISTRY_URL: env.SCHEMA_REGISTRY_URL,
    CLICKHOUSE_URL: env.CLICKHOUSE_URL,
    CLICKHOUSE_DATABASE: database,
    ...(kind === 'gateways' ? {
      CLICKHOUSE_HISTORY_USER: env.CLICKHOUSE_HISTORY_USER,
      CLICKHOUSE_HISTORY_PASSWORD: env.CLICKHOUSE_HISTORY_PASSWORD,
      CLICKHOUSE_PICTURES_USER: env.CLICKHOUSE_PICTURES_USER,
      CLICKHOUSE_PICTURES_PASSWORD: env.CLICKHOUSE_PICTURES_PASSWORD,
      RASTRO_HTTP_PORT: String(httpPort),
      RASTRO_GATEWAYS_ADMIN_PORT: String(adminPort),
    } : {
      CLICKHOUSE_INGEST_USER: env.CLICKHOUSE_INGEST_USER,
      CLICKHOUSE_INGEST_PASSWORD: env.CLICKHOUSE_INGEST_PASSWORD,
      RASTRO_WORKERS_ADMIN_PORT: String(adminPort),
    }),
  };
}
