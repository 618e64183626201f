import { ClickHouseError } from '@clickhouse/client';
import type {
  BackupOffset, BackupWritten, NewestBackupReader, TableBackup, TableBackups,
} from '../../kernel/table-backups.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import type { ClickHouse, ResultRow } from './clickhouse.ts';

/** Which database is backed up, and the disk of the server where its backups are. */
export interface TableBackupsConfig {
  readonly database: string;
  readonly disk: string;
}

/** Connections of who may back up and restore: to the database, and to another that is there. */
export interface TableBackupsPorts {
  readonly store: ClickHouse;
  readonly server: ClickHouse;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
const ALREADY_EXISTS = 598;
const NOT_FOUND = 599;

/** Backups know their own rows by this table; the others are filled without the log. */
const OWN = 'table_backups';
const WITHOUT_LOG = [OWN, 'schema_migrations', 'country_codes'];

const COLUMNS = 'name, base, started_ms, offsets';

/** Opens the backups of one database. */
export function createTableBackups(
  { database, disk }: TableBackupsConfig, { store, server }: TableBackupsPorts,
): TableBackups {
  const scratch = `${known(database)}_backup_scratch`;

  async function enter(backup: TableBackup, finishedMs: number): Promise<void> {
    const answer = await store.insert(
      OWN, [Buffer.from(rowOf(backup, finishedMs))], `${backup.name}/${backup.startedAtMs}/${finishedMs}`,
    );
    if (answer.kind !== 'stored') throw new Error(`The row of a backup was refused: ${answer.detail}`);
  }

  /** Runs something beside the database, in a database of its own. */
  async function aside<Found>(work: () => Promise<Found>): Promise<Found> {
    await drop(server, scratch);
    await server.execute(`CREATE DATABASE ${scratch} ENGINE = Atomic`);
    try {
      return await work();
    } finally {
      await drop(server, scratch);
    }
  }

  /** Tables with rows of their own; all others only pass rows on or show them. */
  async function filledTables(name: string): Promise<readonly string[]> {
    return aside(async () => {
      await server.execute(
        `RESTORE DATABASE ${database} AS ${scratch} FROM ${at(name)} SETTINGS structure_only = 1`,
      );
      const rows = await server.query(
        `SELECT name FROM system.tables WHERE database = {database:String}
         AND (engine LIKE '%MergeTree' OR engine = 'Join') ORDER BY name`, { database: scratch },
      );
      return rows.map((row) => String(row['name']));
    });
  }

  const at = (name: string): string => `Disk('${known(disk)}', '${known(name)}')`;

  return {
    async finished() {
      const rows = await store.query(
        `SELECT ${COLUMNS} FROM ${OWN} FINAL WHERE finished_ms > 0 ORDER BY started_ms DESC`,
      );
      return rows.map(backupOf);
    },

    begin: (backup) => enter(backup, 0),
    finish: (backup, finishedAtMs) => enter(backup, finishedAtMs),

    async write({ name, base }) {
      const settings = base === undefined ? '' : ` SETTINGS base_backup = ${at(base)}`;
      return answered<BackupWritten>(async () => {
        await server.execute(`BACKUP DATABASE ${database} TO ${at(name)}${settings}`);
        return 'written';
      }, new Map([[ALREADY_EXISTS, 'name_taken'], [NOT_FOUND, 'base_missing']]));
    },

    find: (name) => answered<TableBackup | undefined>(() => aside(async () => {
      await server.execute(`RESTORE TABLE ${database}.${OWN} AS ${scratch}.${OWN} FROM ${at(name)}`);
      const rows = await server.query(
        `SELECT ${COLUMNS} FROM ${scratch}.${OWN} FINAL WHERE name = {name:String}`, { name },
      );
      return rows.map(backupOf)[0];
    }), new Map([[NOT_FOUND, undefined]])),

    async hasRows() {
      const rows = await server.query(
        `SELECT count() AS n FROM system.parts WHERE active AND rows > 0
         AND database = {database:String} AND table NOT IN ({others:Array(String)})`,
        { database, others: WITHOUT_LOG },
      );
      return Number(rows[0]?.['n']) > 0;
    },

    /**
     * Tables come before the landing tables: until all rows are back, inserts are refused and
     * their writers wait.
     */
    async restore(name) {
      const tables = await filledTables(name);
      await drop(server, database);
      await server.execute(`CREATE DATABASE ${database} ENGINE = Atomic`);
      const all = tables.map((table) => `TABLE ${database}.${known(table)}`).join(', ');
      await server.execute(`RESTORE ${all} FROM ${at(name)}`);
      const done = tables.map((table) => `${database}.${table}`).join(', ');
      await server.execute(`RESTORE DATABASE ${database} EXCEPT TABLES ${done} FROM ${at(name)}`);
    },

    async restoreAside(name, other) {
      await drop(server, known(other));
      await server.execute(`RESTORE DATABASE ${database} AS ${known(other)} FROM ${at(name)}`);
    },
  };
}

/** Asks the view of backups, which the user `ingest` may read. */
export function createNewestBackup(store: Pick<ClickHouse, 'query'>): NewestBackupReader {
  return {
    async sinceMs() {
      const rows = await store.query('SELECT since_ms FROM in_table_backups');
      return Number(rows[0]?.['since_ms']);
    },
  };
}

/** A caller has decided it already, so no size of a table protects it. */
async function drop(server: ClickHouse, database: string): Promise<void> {
  await server.execute(`DROP DATABASE IF EXISTS ${database} SYNC
    SETTINGS max_table_size_to_drop = 0, max_partition_size_to_drop = 0`);
}

function known(name: string): string {
  if (!NAME.test(name)) throw new Error(`not a name of a backup, disk, table or database: ${name}`);
  return name;
}

/** Some codes of the store are answers here. */
async function answered<Answer>(
  work: () => Promise<Answer>, answers: ReadonlyMap<number, Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const cause = isUnavailable(error) ? error.cause : error;
    const code = cause instanceof ClickHouseError ? Number(cause.code) : Number.NaN;
    if (!answers.has(code)) throw error;
    return answers.get(code) as Answer;
  }
}

function rowOf({ name, base, startedAtMs, offsets }: TableBackup, finishedMs: number): string {
  return JSON.stringify({
    name, base: base ?? '', started_ms: startedAtMs, finished_ms: finishedMs,
    offsets: offsets.map(({ topic, topicId, partition, next }) => (
      { topic, topic_id: topicId, partition, next: String(next) }
    )),
  });
}

function backupOf(row: ResultRow): TableBackup {
  const offsets = row['offsets'] as readonly {
    readonly topic: string; readonly topic_id: string;
    readonly partition: number; readonly next: string;
  }[];
  const base = String(row['base']);
  return {
    name: String(row['name']), base: base === '' ? undefined : base,
    startedAtMs: Number(row['started_ms']),
    offsets: offsets.map(({ topic, topic_id: topicId, partition, next }): BackupOffset => (
      { topic, topicId, partition, next: BigInt(next) }
    )),
  };
}
