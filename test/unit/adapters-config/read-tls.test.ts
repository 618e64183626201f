import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRegistry } from '../../../services/adapters/config/read-registry.ts';
import { readTls } from '../../../services/adapters/config/read-tls.ts';

let dir: string;
let file: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'rastro-read-tls-'));
  file = join(dir, 'a.pem');
  writeFileSync(file, 'PEM');
});
afterAll(() => rmSync(dir, { recursive: true }));

describe('the files for TLS with a part', () => {
  it('are read, each that is named', () => {
    expect(readTls('REDIS', 'rediss://r', {})).toBeUndefined();
    expect(readTls('REDIS', 'rediss://r', { REDIS_TLS_CA_FILE: file })).toEqual({ ca: 'PEM' });
    const pair = { CLICKHOUSE_TLS_CERTIFICATE_FILE: file, CLICKHOUSE_TLS_KEY_FILE: file };
    expect(readTls('CLICKHOUSE', 'https://c', pair)).toEqual({ cert: 'PEM', key: 'PEM' });
  });

  it('are refused where one is not there, by the name of its setting', () => {
    expect(() => readTls('REDIS', 'rediss://r', { REDIS_TLS_CA_FILE: join(dir, 'none') }))
      .toThrow('REDIS_TLS_CA_FILE cannot be read');
  });

  it('are refused where a certificate lacks its key', () => {
    expect(() => readTls('REDIS', 'rediss://r', { REDIS_TLS_KEY_FILE: file }))
      .toThrow('REDIS_TLS_CERTIFICATE_FILE and REDIS_TLS_KEY_FILE belong together');
  });

  it.each([
    ['REDIS', 'redis://r', 'rediss://'], ['CLICKHOUSE', 'http://c', 'https://'],
    ['SCHEMA_REGISTRY', 'http://s', 'https://'],
  ] as const)('are refused for %s where the address is without TLS', (part, url, instead) => {
    expect(() => readTls(part, url, { [`${part}_TLS_CA_FILE`]: file })).toThrow(instead);
  });
});

describe('the login at the schema registry', () => {
  it('is whole or none', () => {
    const url = { SCHEMA_REGISTRY_URL: 'http://s' };
    expect(readRegistry(url)).toEqual({ url: 'http://s' });
    const whole = { ...url, SCHEMA_REGISTRY_USERNAME: 'u', SCHEMA_REGISTRY_PASSWORD: 'p' };
    expect(readRegistry(whole).login).toEqual({ username: 'u', password: 'p' });
    expect(() => readRegistry({ ...url, SCHEMA_REGISTRY_USERNAME: 'u' })).toThrow('belong together');
  });
});
