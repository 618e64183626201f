import type { Settings } from './setting.ts';
import { sharedSettings } from './shared.ts';

const count = { type: 'integer', minimum: 1, maximum: 1_000_000_000 } as const;

/** Settings of `services/workers/main.ts`. */
export const workersSettings = {
  ...sharedSettings,
  CLICKHOUSE_URL: {
    type: 'string', pattern: '^https?://', description: 'Address of the analytical store.',
  },
  CLICKHOUSE_DATABASE: {
    type: 'string', default: 'tracking', minLength: 1, description: 'Database of the tables.',
  },
  CLICKHOUSE_INGEST_USER: {
    type: 'string', default: 'ingest', description: 'Who inserts rows.',
  },
  CLICKHOUSE_INGEST_PASSWORD: {
    type: 'string', default: '', secret: true, description: 'Password of who inserts rows.',
  },
  RASTRO_WORKERS_ADMIN_PORT: {
    type: 'integer', default: 9081, minimum: 0, maximum: 65_535,
    description: 'Port of /healthz, /readyz and /metrics; 0 takes any free one.',
  },
  RASTRO_INSERT_LOCATIONS_MAX: {
    ...count, default: 50_000, description: 'Locations of one insert.',
  },
  RASTRO_INSERT_BYTES_MAX: {
    ...count, default: 67_108_864, description: 'Bytes of one insert.',
  },
  RASTRO_INSERT_LINGER_MS: {
    type: 'integer', minimum: 0, maximum: 60_000, default: 1_000,
    description: 'How long records are collected for one insert.',
  },
  RASTRO_REBUILD_LEASE_MS: {
    type: 'integer', minimum: 1_000, maximum: 600_000, default: 30_000,
    description: 'How long the right to rebuild the state store holds without renewal.',
  },
} as const satisfies Settings;
