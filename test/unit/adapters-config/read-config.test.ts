import { describe, expect, it } from 'vitest';
import { gatewaysSettings } from '../../../services/adapters/config/gateways.ts';
import { describeConfig, readConfig } from '../../../services/adapters/config/read-config.ts';
import type { Settings } from '../../../services/adapters/config/setting.ts';
import { workersSettings } from '../../../services/adapters/config/workers.ts';
import { PERSONAL_KEY } from '../../support/fake-personal.ts';

const SETTINGS = {
  RASTRO_URL: { type: 'string', pattern: '^https?://', description: 'Where.' },
  RASTRO_COUNT: { type: 'integer', default: 5, minimum: 1, maximum: 9, description: 'Many.' },
  RASTRO_SHARE: { type: 'number', default: 0.5, description: 'Part.' },
  RASTRO_ON: { type: 'boolean', default: false, description: 'Whether.' },
  RASTRO_NAMES: { type: 'list', default: [], description: 'Who.' },
  RASTRO_MODE: { type: 'string', enum: ['a', 'b'], optional: true, description: 'How.' },
  RASTRO_KEY: { type: 'string', default: '', secret: true, description: 'Hidden.' },
} as const satisfies Settings;

const read = (env: Record<string, string>) => readConfig('sample', SETTINGS, env);

describe('reading the configuration', () => {
  it('gives every setting its type, and defaults to what is not set or empty', () => {
    expect(read({ RASTRO_URL: 'http://x', RASTRO_NAMES: 'a, b,,', RASTRO_ON: '1', RASTRO_COUNT: '' }))
      .toEqual({
        RASTRO_URL: 'http://x', RASTRO_COUNT: 5, RASTRO_SHARE: 0.5, RASTRO_ON: true,
        RASTRO_NAMES: ['a', 'b'], RASTRO_KEY: '',
      });
  });

  it.each([
    [{}, 'RASTRO_URL is not set (Where.)'],
    [{ RASTRO_URL: 'ftp://x' }, 'RASTRO_URL is not valid: pattern'],
    [{ RASTRO_URL: 'http://x', RASTRO_COUNT: '0' }, 'RASTRO_COUNT is not valid: minimum'],
    [{ RASTRO_URL: 'http://x', RASTRO_COUNT: '10' }, 'RASTRO_COUNT is not valid: maximum'],
    [{ RASTRO_URL: 'http://x', RASTRO_COUNT: '5x' }, 'RASTRO_COUNT is not valid: type'],
    [{ RASTRO_URL: 'http://x', RASTRO_COUNT: '1e0' }, 'RASTRO_COUNT is not valid: type'],
    [{ RASTRO_URL: 'http://x', RASTRO_COUNT: '1.5' }, 'RASTRO_COUNT is not valid: type'],
    [{ RASTRO_URL: 'http://x', RASTRO_ON: 'yes' }, 'RASTRO_ON is not valid: type'],
    [{ RASTRO_URL: 'http://x', RASTRO_MODE: 'c' }, 'RASTRO_MODE is not valid: enum'],
    [{ RASTRO_URL: 'http://x', RASTRO_CUONT: '3' }, 'RASTRO_CUONT is not a setting of any part'],
    [{ RASTRO_URL: 'http://x', RTT_OTHER: '3' }, 'RTT_OTHER is not a setting of any part'],
  ])('refuses %j', (env, fault) => {
    expect(() => read(env as Record<string, string>)).toThrow(fault);
  });

  it('names every fault at once', () => {
    expect(() => read({ RASTRO_COUNT: 'x', RASTRO_ON: 'y' }))
      .toThrow(/RASTRO_URL.*RASTRO_COUNT.*RASTRO_ON/);
  });

  it('lets names pass that other parts, scripts or tests read, and foreign names', () => {
    const env = { RASTRO_URL: 'http://x', RASTRO_TEST_SEED: '1', RASTRO_CLIENT_ID: '2', PATH: '/' };
    expect(read(env).RASTRO_URL).toBe('http://x');
  });

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(read({ RASTRO_URL: 'http://x' }))).toBe(true);
  });

  it('shows everything but secrets and passwords', () => {
    const config = read({ RASTRO_URL: 'http://me:hunter2@x/p', RASTRO_KEY: 'hunter3' });
    const { config: shown } = describeConfig('sample', SETTINGS, config);
    expect(shown).toContain('http://me:***@x/p');
    expect(shown).not.toMatch(/hunter/);
  });
});

describe('the settings of the product', () => {
  const parts = {
    KAFKA_BROKERS: 'localhost:9092', SCHEMA_REGISTRY_URL: 'http://localhost:8081',
    REDIS_URL: 'redis://localhost:6379',
  };

  it('need only the addresses, the pepper and the keys of personal data', () => {
    const gateways = readConfig('gateways', gatewaysSettings, {
      ...parts, RASTRO_SECRET_PEPPER: 'p'.repeat(16), RASTRO_PERSONAL_KEY: PERSONAL_KEY,
    });
    expect(gateways.RASTRO_REQUESTS_PER_SECOND).toBe(200);
    expect(gateways.RTT_REQUIRE_OPEN_MONITORING).toBe(false);
    const workers = readConfig('workers', workersSettings, {
      ...parts, CLICKHOUSE_URL: 'http://localhost:8123',
    });
    expect(workers.KAFKA_BROKERS).toEqual(['localhost:9092']);
  });

  it('say what they mean, and their unit in their name', () => {
    for (const [name, setting] of Object.entries({ ...gatewaysSettings, ...workersSettings })) {
      expect(setting.description, name).toMatch(/^[A-Z/].*\.$/);
      if (setting.type === 'integer') {
        expect(name).toMatch(/_(PORT|MS|MS_MAX|MAX|PER_SECOND|PER_MINUTE|PER_DAY|BURST)$/);
      }
    }
  });
});
