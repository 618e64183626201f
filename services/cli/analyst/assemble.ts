import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse,
} from '../../adapters/clickhouse/clickhouse.ts';
import { readTls } from '../../adapters/config/read-tls.ts';
import { sha256 } from '../../adapters/secrets/secrets.ts';
import { systemClock, systemPause } from '../../adapters/system/system.ts';
import { silentSignals } from '../../kernel/signals.ts';
import type { AnalystPorts } from './command.ts';
import { readUserXml, type KnownAnalyst } from './user-xml.ts';

/** Where the store is, and opens it as a user. */
export interface AnalystStore {
  readonly database: string;
  readonly admin: ClickHouse;
  readonly as: (user: string, password: string) => ClickHouse;
}

/** Opens the users and databases of the store, or says what is missing. */
export function openAnalysts(
  env: NodeJS.ProcessEnv,
): { readonly ports: AnalystPorts; readonly close: () => Promise<void> } {
  const {
    RASTRO_ANALYSTS_DIR: folder, CLICKHOUSE_URL: url, CLICKHOUSE_USER: user,
    CLICKHOUSE_PASSWORD: password,
  } = env;
  if (!folder || url === undefined || user === undefined) {
    throw new Error('Set CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD, and RASTRO_ANALYSTS_DIR: '
      + 'the folder users.d of the store (npm start writes them to .rastro/env).');
  }
  const database = env['CLICKHOUSE_DATABASE'] ?? 'tracking';
  const tls = readTls('CLICKHOUSE', url, env);
  const as = (name: string, secret: string): ClickHouse => openClickHouse(
    { ...CLICKHOUSE_LIMITS, url, tls, user: name, password: secret, database: 'default' },
    { signals: silentSignals },
  );
  const admin = as(user, password ?? '');
  return { ports: analystPorts(folder, { database, admin, as }), close: () => admin.close() };
}

const LOGIN_MS_MAX = 60_000;
const LOGIN_POLL_MS = 500;

/** Ports over a folder `users.d` of the store, and a user of it who may make databases. */
export function analystPorts(folder: string, { database, admin, as }: AnalystStore): AnalystPorts {
  return {
    users: {
      list: () => usersIn(folder),
      async write(name, xml) {
        await mkdir(folder, { recursive: true });
        // Under a name that the store does not read, until it is whole.
        const draft = join(folder, `${name}.draft`);
        await writeFile(draft, xml, { mode: 0o640 });
        await rename(draft, join(folder, `${name}.xml`));
      },
      async remove(name) {
        const isThere = (await usersIn(folder)).some((each) => each.name === name);
        if (isThere) await rm(join(folder, `${name}.xml`));
        return isThere;
      },
    },
    store: {
      database,
      async views() {
        const rows = await admin.query(`SELECT table AS view, groupArray(name) AS columns
          FROM system.columns WHERE database = {database:String} AND startsWith(table, 'v_')
          GROUP BY table ORDER BY table`, { database });
        return rows.map(({ view, columns }) => (
          { view: String(view), columns: columns as string[] }
        ));
      },
      createDatabase: (name) => admin.execute(`CREATE DATABASE IF NOT EXISTS ${name}`),
      dropDatabase: (name) => admin.execute(`DROP DATABASE IF EXISTS ${name}`),
      async bytes() {
        const rows = await admin.query(
          'SELECT database, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active GROUP BY database',
        );
        return new Map(rows.map((row) => [String(row['database']), Number(row['bytes'])]));
      },
      async canLogIn(name, password) {
        const deadlineMs = systemClock.nowMs() + LOGIN_MS_MAX;
        const store = as(name, password);
        try {
          for (;;) {
            const works = await store.query('SELECT 1').then(() => true, () => false);
            if (works || systemClock.nowMs() > deadlineMs) return works;
            await systemPause(LOGIN_POLL_MS);
          }
        } finally {
          await store.close();
        }
      },
    },
    newPassword: () => randomBytes(24).toString('base64url'),
    digest: sha256,
    writePrivate: (file, text) => writeFile(file, text, { mode: 0o600, flag: 'wx' }),
    nowMs: () => systemClock.nowMs(),
  };
}

async function usersIn(folder: string): Promise<readonly KnownAnalyst[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.xml'));
  const texts = await Promise.all(names.toSorted().map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => readUserXml(text) ?? []);
}
