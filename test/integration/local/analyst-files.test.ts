import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startClickHouse } from '../../../infra/local/clickhouse.ts';
import { writeClickHouseConfig } from '../../../infra/local/clickhouse-config.ts';
import type { Part } from '../../../infra/local/part.ts';
import { freePorts } from '../../../infra/local/ports.ts';

const SECRET = `secret-${randomUUID()}`;
const CREDENTIALS = {
  admin: `admin-${randomUUID()}`, ingest: 'ingest', analyst: 'analyst', history: 'history',
  backup: 'backup', pictures: 'pictures',
};
const AT_ONCE = 8;
/** What an analyst can switch on, and what it cannot. */
const SWITCHED_ON = 'allow_fuzz_query_functions=1&max_execution_time=5';
const FORBIDDEN = [
  'allow_experimental_eval_table_function', 'allow_experimental_ai_functions',
  'allow_introspection_functions',
];

let dir: string;
let engine: Part;
let port: number;
let trap: Server;
let calls = 0;

beforeAll(async () => {
  // As .rastro is laid out: a folder of the engine, and secrets beside it.
  dir = mkdtempSync(join(tmpdir(), 'rastro-analyst-'));
  writeFileSync(join(dir, 'secrets.json'), JSON.stringify({ pepper: SECRET }));
  [port = 0] = await freePorts(1);
  engine = await startClickHouse({
    port, dir: join(dir, 'clickhouse'), credentials: CREDENTIALS, databases: ['tracking'], log() {},
  });
  trap = createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => { trap.listen(0, '127.0.0.1', resolve); });
}, 60_000);

afterAll(async () => {
  trap.close();
  await engine.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** What the engine answers a user, refusals included. */
async function ask(user: keyof typeof CREDENTIALS, query: string, settings = ''): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/?${settings}`, {
    method: 'POST', body: query,
    headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': CREDENTIALS[user] },
  });
  return answer.text();
}

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

/** Values that make a function read a file, run a program or call another host. */
function arguments_(): readonly string[] {
  const { port: trapPort } = trap.address() as AddressInfo;
  const file = quoted(join(dir, 'secrets.json'));
  const url = quoted(`http://127.0.0.1:${trapPort}/x`);
  const host = quoted(`127.0.0.1:${trapPort}`);
  return [
    file, `${file}, 'none'`, `${file}, 'LineAsString'`, `${file}, 'LineAsString', 'line String'`,
    `${file}, 1`, url, `${url}, 'LineAsString'`, `${url}, 'LineAsString', 'line String'`,
    `${host}, system.one`, `${host}, 'system', 'one', 'default', ''`,
    `${host}, 'key', 'line String'`, quoted(`SELECT file(${file.replaceAll("'", "''")})`),
  ];
}

/** Asks everything as the analyst, and names what showed the secret. */
async function leaksOf(queries: readonly string[]): Promise<readonly string[]> {
  const leaks: string[] = [];
  const waiting = queries.values();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const query of waiting) {
      for (const settings of ['', SWITCHED_ON]) {
        if ((await ask('analyst', query, settings)).includes(SECRET)) leaks.push(query);
      }
    }
  }));
  return leaks;
}

async function namesIn(table: string): Promise<readonly string[]> {
  const text = await ask('admin', `SELECT name FROM system.${table} ORDER BY name FORMAT TSV`);
  return text.trim().split('\n');
}

describe('the files of the machine', () => {
  it('are read by no function, whatever is asked and switched on', async () => {
    const names = await namesIn('functions');
    expect(names.length).toBeGreaterThan(1_000);
    expect(names).toContain('file');
    const queries = names.flatMap((name) => arguments_().slice(0, 2)
      .map((values) => `SELECT \`${name}\`(${values})`));
    expect(await leaksOf(queries)).toEqual([]);
    expect(calls).toBe(0);
  }, 240_000);

  it('are read by no table function, and none calls another host', async () => {
    const names = await namesIn('table_functions');
    expect(names).toEqual(expect.arrayContaining(['file', 'url', 's3', 'remote', 'executable']));
    const queries = names.flatMap((name) => arguments_()
      .map((values) => `SELECT * FROM \`${name}\`(${values}) LIMIT 5`));
    expect(await leaksOf(queries)).toEqual([]);
    expect(calls).toBe(0);
  }, 240_000);

  it.each(FORBIDDEN)('are not behind %s, which no analyst can switch on', async (setting) => {
    expect(await ask('analyst', 'SELECT 1', `${setting}=1`)).toContain('SETTING_CONSTRAINT_VIOLATION');
  });

  it('are closed to the one function that needs no right', async () => {
    for (const file of [join(dir, 'secrets.json'), '/etc/passwd', '/proc/1/environ']) {
      expect(await ask('analyst', `SELECT file(${quoted(file)})`)).toContain('Permission denied');
      expect(await ask('analyst', `SELECT * APPLY(file) FROM (SELECT ${quoted(file)})`))
        .toContain('Permission denied');
    }
    const own = join(dir, 'clickhouse', 'users.xml');
    const users = await ask('analyst', `SELECT file(${quoted(own)})`);
    expect(users).toContain('password_sha256_hex');
    expect(users).not.toContain(CREDENTIALS.admin);
    const link = join(dir, 'clickhouse', 'link');
    execFileSync('ln', ['-s', join(dir, 'secrets.json'), link]);
    expect(await ask('analyst', `SELECT file(${quoted(link)})`)).toContain('Permission denied');
  });

  it('and what the launcher knows are not in the environment that the engine shows', async () => {
    const shown = await ask('analyst', "SELECT file('/proc/self/environ')");
    const names = shown.split('\\0').map((entry) => entry.split('=', 1)[0]?.trim()).filter(Boolean);
    expect(names.filter((name) => !['PATH', 'LANG', 'TZ', 'LD_LIBRARY_PATH'].includes(name ?? '')))
      .toEqual([]);
  });
});

describe('a process that confines itself', () => {
  it('reads nothing else any more, as an ordinary user and as root', () => {
    const folder = join(dir, 'confined');
    mkdirSync(folder);
    const file = join(folder, 'own');
    for (const name of [file, join(dir, 'beside')]) writeFileSync(name, 'x', { mode: 0o644 });
    chmodSync(dir, 0o755);
    const script = join(import.meta.dirname, '..', '..', 'support', 'read-confined-main.ts');
    const read = [script, folder, join(dir, 'beside'), '/etc/passwd', file];
    const ordinary = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath];
    const ways: readonly (readonly [string, readonly string[]])[] = process.getuid?.() === 0
      ? [[process.execPath, []], ['setpriv', ordinary]] : [[process.execPath, []]];
    for (const [command, args] of ways) {
      const said = execFileSync(command, [...args, ...read], { encoding: 'utf8' });
      expect(JSON.parse(said)).toEqual({
        before: ['read', 'read', 'read'], after: ['EACCES', 'EACCES', 'read'],
      });
    }
  });
});

describe('an engine that cannot be confined', () => {
  it('has no user for analysts', () => {
    const folder = join(dir, 'unconfined');
    const config = { dir: folder, credentials: CREDENTIALS, databases: [], memoryBytesMax: 1 };
    const usersOf = (hasAnalyst: boolean): string => {
      writeClickHouseConfig({ ...config, hasAnalyst });
      return readFileSync(join(folder, 'users.xml'), 'utf8');
    };
    expect(usersOf(true)).toContain('<analyst><password_sha256_hex>');
    expect(usersOf(false)).not.toContain('<analyst><password');
  });
});
