import type { Settings } from './setting.ts';
import { workersSettings } from './workers.ts';

/** Settings of `services/workers/rebuild-once.ts`: those of the workers and its own. */
export const rebuildSettings = {
  ...workersSettings,
  CLICKHOUSE_USER: {
    type: 'string', default: 'admin', description: 'Who may make databases and read all tables.',
  },
  CLICKHOUSE_PASSWORD: {
    type: 'string', default: '', secret: true, description: 'Password of who may do that.',
  },
  RASTRO_SHADOW_REDIS_URL: {
    type: 'string', optional: true, pattern: '^rediss?://',
    description: 'Where a dry run builds the state; by default database 15 of the state store.',
  },
  RASTRO_SHADOW_DATABASE: {
    type: 'string', optional: true, pattern: '^[a-z][a-z0-9_]*$',
    description: 'Database that a dry run fills; by default that of the tables with _shadow.',
  },
} as const satisfies Settings;
