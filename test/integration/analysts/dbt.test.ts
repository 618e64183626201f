import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAnalysts } from '../../../services/cli/analyst/assemble.ts';
import { analystCommand } from '../../../services/cli/analyst/command.ts';
import { PYTHON_MS_MAX, runPythonWith } from '../../support/analyst-python.ts';
import { startOwnTables, type OwnTables } from '../../support/own-tables.ts';
import { post, writePosts } from '../clickhouse/history.ts';
import { refreshDays } from './tracks.ts';

const PROJECT = resolve('docs', 'analysts', 'dbt');
const PACKAGES = { name: 'dbt', requirements: join(PROJECT, 'requirements.txt') };
const BUILD = 'from dbt.cli.main import cli; cli()';
const START_S = (Math.floor(Date.now() / 86_400_000) - 1) * 86_400;

let tables: OwnTables;
let folder: string;
const password = 'only-in-this-test';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rastro-dbt-'));
  tables = await startOwnTables();
  const fixes = Array.from({ length: 120 }, (_, n) => ({
    timestamp: START_S + 10 * n, country_id: 'BR', latitude: -23.5 + n / 1_000, longitude: -46.6,
    telemetry: { timestamp: START_S + 10 * n, speed: 40 },
  }));
  expect(await writePosts(tables.as('ingest'), [
    post(fixes, { device: 'd1', headers: { provider: 'acme' } }),
  ])).toEqual([]);
  await refreshDays(tables.store);
  const { ports, close } = openAnalysts({
    CLICKHOUSE_URL: tables.url, CLICKHOUSE_USER: 'admin', CLICKHOUSE_PASSWORD: 'admin',
    RASTRO_ANALYSTS_DIR: tables.analystsDir,
  });
  const args = ['add', 'lena', '--password-file', join(folder, 'password')];
  expect(await analystCommand({ ...ports, newPassword: () => password }, args))
    .toMatchObject({ exitCode: 0 });
  await close();
}, 120_000);
afterAll(async () => {
  await tables.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the dbt project', () => {
  it('builds its models and passes its tests in the scratch database of an analyst', async () => {
    const printed = await runPythonWith(
      PACKAGES,
      ['-c', BUILD, 'build', '--project-dir', PROJECT, '--profiles-dir', PROJECT, '--no-use-colors',
        '--target-path', join(folder, 'target'), '--log-path', join(folder, 'logs')],
      {
        DBT_PORT: new URL(tables.url).port, DBT_USER: 'lena', DBT_PASSWORD: password,
        DBT_SCHEMA: 'scratch_lena',
      },
    );
    expect(printed).toMatch(/Done\. PASS=10 WARN=0 ERROR=0 SKIP=0/);
    expect(await tables.server.query(
      "SELECT round(distance_km) AS km, trips FROM scratch_lena.fleet_days WHERE provider = 'acme'",
    )).toEqual([{ km: 13, trips: '1' }]);
  }, PYTHON_MS_MAX);
});
