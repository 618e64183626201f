import { mkdtempSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse,
} from '../../../services/adapters/clickhouse/clickhouse.ts';
import { openAnalysts } from '../../../services/cli/analyst/assemble.ts';
import { analystCommand } from '../../../services/cli/analyst/command.ts';
import type { Report } from '../../../services/cli/ports.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { startOwnTables, type OwnTables } from '../../support/own-tables.ts';
import { post, writePosts } from '../clickhouse/history.ts';

const NOW_S = Math.floor(Date.now() / 1_000);
const START_MS_MAX = 120_000;

let tables: OwnTables;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rastro-analysts-'));
  tables = await startOwnTables();
  const fix = { timestamp: NOW_S, country_id: 'BR', latitude: 1, longitude: 1 };
  expect(await writePosts(tables.as('ingest'), [
    post([fix], { device: 'd1', headers: { provider: 'acme' } }),
    post([fix], { device: 'd2', headers: { provider: 'other' } }),
  ])).toEqual([]);
}, START_MS_MAX);
afterAll(async () => {
  await tables.close();
  await rm(folder, { recursive: true, force: true });
});

async function analyst(...args: readonly string[]): Promise<Report> {
  const { ports, close } = openAnalysts({
    CLICKHOUSE_URL: tables.url, CLICKHOUSE_USER: 'admin', CLICKHOUSE_PASSWORD: 'admin',
    RASTRO_ANALYSTS_DIR: tables.analystsDir,
  });
  try {
    return await analystCommand(ports, args);
  } finally {
    await close();
  }
}

async function login(name: string): Promise<ClickHouse> {
  const password = (await readFile(join(folder, `${name}.password`), 'utf8')).trim();
  return openClickHouse(
    { ...CLICKHOUSE_LIMITS, url: tables.url, user: name, password, database: 'tracking' },
    { signals: silentSignals },
  );
}

describe('rastro analyst', () => {
  it('gives a login that sees the rows of its providers alone, and a place of its own', async () => {
    const file = join(folder, 'lena.password');
    expect(await analyst('add', 'lena', '--provider', 'acme', '--password-file', file, '--scratch-gb', '1'))
      .toMatchObject({ exitCode: 0, value: { scratch: 'scratch_lena', works: true } });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const lena = await login('lena');
    try {
      expect(await lena.query('SELECT device_id FROM v_locations')).toEqual([{ device_id: 'd1' }]);
      expect(await lena.query('SELECT count() AS n FROM v_device_last')).toEqual([{ n: '1' }]);
      await lena.execute(`CREATE TABLE scratch_lena.mine ENGINE = MergeTree ORDER BY device_id
        AS SELECT * FROM tracking.v_locations`);
      await lena.execute('CREATE VIEW scratch_lena.seen AS SELECT * FROM tracking.v_locations');
      expect(await lena.query('SELECT count() AS n FROM scratch_lena.seen')).toEqual([{ n: '1' }]);
      // What has no provider, or windows, which no policy reaches, is not there for it.
      for (const refused of [
        'SELECT * FROM v_audits', "SELECT * FROM v_ingest_balance(since = '2026-01-01', until = '2026-01-02')",
        'SELECT * FROM locations', "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')",
        'CREATE TABLE tracking.mine (n Int32) ENGINE = Memory',
        "CREATE TABLE scratch_lena.out (n Int32) ENGINE = URL('http://127.0.0.1:1/', 'CSV')",
        'CREATE VIEW scratch_lena.all SQL SECURITY NONE AS SELECT * FROM tracking.locations',
      ]) await expect(lena.query(refused), refused).rejects.toThrow(/privileges|497/);
      await expect(lena.query('SELECT 1 SETTINGS max_memory_usage = 2000000000')).rejects.toThrow();
    } finally {
      await lena.close();
    }
    // Other logins see no less for it.
    expect(await tables.as('analyst').query('SELECT count() AS n FROM v_locations')).toEqual([{ n: '2' }]);
  }, START_MS_MAX);

  it('stops what writes more bytes than its quota', async () => {
    const file = join(folder, 'team_b.password');
    expect(await analyst('add', 'team_b', '--password-file', file, '--scratch-gb', '0.01'))
      .toMatchObject({ exitCode: 0 });
    const team = await login('team_b');
    try {
      await team.execute('CREATE TABLE scratch_team_b.t (n UInt64) ENGINE = MergeTree ORDER BY n');
      const insert = (rows: number) => `INSERT INTO scratch_team_b.t SELECT number FROM numbers(${rows})`;
      await team.execute(insert(100_000));
      await expect(team.execute(insert(2_000_000))).rejects.toThrow(/201/);
      expect(await team.query('SELECT count() AS n FROM v_locations')).toEqual([{ n: '2' }]);
    } finally {
      await team.close();
    }
    expect(await analyst('ls')).toMatchObject({ value: { analysts: [
      { name: 'lena', providers: ['acme'] }, { name: 'team_b', scratch: 'scratch_team_b' },
    ] } });
  }, START_MS_MAX);

  it('takes a login away, with its place where that is said', async () => {
    expect(await analyst('rm', 'lena', '--drop-scratch')).toMatchObject({ exitCode: 0 });
    const lena = await login('lena');
    try {
      const answer = (): Promise<string> => lena.query('SELECT 1').then(() => 'in', String);
      await expect.poll(answer, { timeout: 60_000 }).toMatch(/516|193|192/);
    } finally {
      await lena.close();
    }
    const databases = "SELECT count() AS n FROM system.databases WHERE name = 'scratch_lena'";
    await expect.poll(() => tables.server.query(databases).catch(() => []), { timeout: 60_000 })
      .toEqual([{ n: '0' }]);
    expect(await analyst('rm', 'nobody')).toMatchObject({ exitCode: 3 });
    expect(await analyst('add', 'admin', '--password-file', 'x')).toMatchObject({ exitCode: 2 });
  }, START_MS_MAX);
});
