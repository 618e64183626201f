import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../services/adapters/config/read-config.ts';
import { workersSettings } from '../../../services/adapters/config/workers.ts';
import {
  authorizerConfigOf, pullerConfigOf, webhookSenderConfigOf,
} from '../../../services/workers/assemble-config.ts';

const LEAST = {
  KAFKA_BROKERS: 'localhost:9092', REDIS_URL: 'redis://localhost',
  SCHEMA_REGISTRY_URL: 'http://localhost', CLICKHOUSE_URL: 'http://localhost',
};

const configOf = (requestMs: number) => readConfig('workers', workersSettings, {
  ...LEAST, RASTRO_PARTY_REQUEST_MS_MAX: String(requestMs),
});

describe('the lease of what is due', () => {
  it.each([100, 10_000, 60_000])('outlasts each attempt with requests of %i ms', (requestMs) => {
    const config = configOf(requestMs);
    const [calls, feeds, webhooks] = [
      authorizerConfigOf(config), pullerConfigOf(config), webhookSenderConfigOf(config),
    ];
    expect(calls.leaseMs).toBeGreaterThan(3 * requestMs + calls.appendMsMax);
    expect(feeds.leaseMs).toBeGreaterThan(4 * requestMs + feeds.appendMsMax);
    expect(webhooks.leaseMs).toBeGreaterThan(requestMs + webhooks.sendMsMax + webhooks.appendMsMax);
  });

  it('ends within a minute after a process died, with the defaults of a call', () => {
    expect(authorizerConfigOf(configOf(10_000)).leaseMs).toBeLessThan(60_000);
  });
});
