import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stackEnv } from '../../support/stack.ts';
import { runAsAdmin, runStatement } from './marks.ts';

const env = stackEnv();
const analyst = { name: env.ANALYST_USER, password: env.ANALYST_PASSWORD };
const suffix = Math.random().toString(36).slice(2, 10);
const table = `tracking.secrets_${suffix}`;
const view = `tracking.v_${suffix}`;

beforeAll(async () => {
  await runAsAdmin(env, `CREATE TABLE ${table} (a Int32) ENGINE = MergeTree ORDER BY a`);
  await runAsAdmin(env, `CREATE VIEW ${view} SQL SECURITY DEFINER AS SELECT a FROM ${table}`);
  await runAsAdmin(env, `INSERT INTO ${table} VALUES (1), (2)`);
});

afterAll(async () => {
  await runAsAdmin(env, `DROP VIEW ${view}`);
  await runAsAdmin(env, `DROP TABLE ${table}`);
});

describe('the analyst', () => {
  it('reads a view that runs with the rights of its definer', async () => {
    expect(await runStatement(env, analyst, `SELECT sum(a) FROM ${view}`)).toBe('3');
  });

  it.each([
    ['reads a table', `SELECT a FROM ${table}`],
    ['inserts', `INSERT INTO ${table} VALUES (3)`],
    ['creates a table', 'CREATE TABLE tracking.mine (a Int32) ENGINE = Memory'],
    ['drops a view', `DROP VIEW ${view}`],
    ['reads a file of the machine', "SELECT * FROM file('/etc/hostname', 'LineAsString')"],
  ])('is denied when it %s', async (_what, statement) => {
    await expect(runStatement(env, analyst, statement)).rejects.toThrow('ACCESS_DENIED');
  });

  it.each([
    'max_execution_time = 600', 'max_memory_usage_for_user = 0', 'max_threads = 64',
    'max_concurrent_queries_for_user = 1000', 'os_threads_nice_value_query = 0',
  ])('cannot lift its own limits: %s', async (setting) => {
    const lifted = runStatement(env, analyst, `SELECT 1 SETTINGS ${setting}`);
    await expect(lifted).rejects.toThrow('SETTING_CONSTRAINT_VIOLATION');
  });
});

it('refuses the user without a password', async () => {
  const nobody = { name: 'default', password: '' };
  await expect(runStatement(env, nobody, 'SELECT 1')).rejects.toThrow('USER_SESSION_LIMIT_EXCEEDED');
});
