import { expect, it } from 'vitest';
import { gatewaysSettings } from '../../../services/adapters/config/gateways.ts';
import { readConfig } from '../../../services/adapters/config/read-config.ts';
import { redisConfigOf } from '../../../services/gateways/assemble-config.ts';
import { PERSONAL_KEY } from '../../support/fake-personal.ts';

it.each([100, 10_000, 45_000])(
  'a claim outlives every call that may be at it, with a deadline of %i ms',
  (deadlineMs) => {
    const config = readConfig('gateways', gatewaysSettings, {
      KAFKA_BROKERS: 'k:1', SCHEMA_REGISTRY_URL: 'http://r', REDIS_URL: 'redis://s',
      CLICKHOUSE_URL: 'http://c', RASTRO_SECRET_PEPPER: 'pepper-for-tests',
      RASTRO_PERSONAL_KEY: PERSONAL_KEY,
      RASTRO_HTTP_REQUEST_DEADLINE_MS: String(deadlineMs),
    });
    expect(redisConfigOf(config).claimLeaseMs).toBeGreaterThanOrEqual(Math.max(10_000, deadlineMs));
  },
);
