import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from './credentials.ts';

/** What the configuration files of one ClickHouse directory depend on. */
export type ClickHouseServerConfig = {
  readonly dir: string;
  readonly credentials: Credentials;
  /** Databases of all users but `admin`; a trailing `*` covers every such name. */
  readonly databases: readonly string[];
  readonly memoryBytesMax: number;
  /** False where the analyst has no user; true when not said. */
  readonly hasAnalyst?: boolean;
  /** Rows that all queries of the analyst may read in an hour. */
  readonly analystRowsPerHourMax?: number;
  /** Where backups go; by default a folder beside the directory. */
  readonly backups?: BackupDisk;
};

/** What the disk `backups` is: a folder of this machine, or a bucket of an object storage. */
export type BackupDisk =
  | { readonly kind: 'folder'; readonly path: string }
  | {
    readonly kind: 'bucket';
    /** Address of the bucket and the path in it, such as `http://127.0.0.1:9000/backups/tables/`. */
    readonly endpoint: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };

const ANALYST_ROWS_PER_HOUR_MAX = 100_000_000_000;

const HISTORY_TABLES = [
  'notification_topics', 'notification_bodies', 'shipment_journeys', 'ingest_records',
  'v_ingest_outcomes', 'shipment_notifications', 'deferred_answers', 'deferred_events',
  'v_location_outliers', 'v_telemetry_event_outliers', 'v_delivery_outliers',
  'provider_day_states', 'v_provider_quality',
];

/** The disk of backups where none is said. */
export function folderBeside(dir: string): BackupDisk {
  return { kind: 'folder', path: backupFolderOf(dir) };
}

/**
 * Where the backups of a data directory are: beside it, so that losing the one keeps the other. On
 * a machine with two disks, link it to the other one.
 */
export function backupFolderOf(dir: string): string {
  return `${dir}-backups`;
}

/** Where the engine reads more users from when it starts: a file for each analyst. */
export function analystsDirOf(dir: string): string {
  return join(dir, 'users.d');
}

/**
 * Writes users.xml and config.xml and returns the path of the latter. Backups go to the disk
 * `backups`. Users live only here: the embedded engine refuses CREATE USER (code 514).
 */
export function writeClickHouseConfig(config: ClickHouseServerConfig): string {
  mkdirSync(analystsDirOf(config.dir), { recursive: true });
  const backups = config.backups ?? folderBeside(config.dir);
  if (backups.kind === 'folder') mkdirSync(backups.path, { recursive: true, mode: 0o700 });
  const usersFile = join(config.dir, 'users.xml');
  const configFile = join(config.dir, 'config.xml');
  writeFileSync(usersFile, usersXml(config), { mode: 0o600 });
  writeFileSync(configFile, configXml(config, usersFile, backups), { mode: 0o600 });
  return configFile;
}

function configXml(
  config: ClickHouseServerConfig, usersFile: string, backups: BackupDisk,
): string {
  return `<clickhouse>
  <users_config>${escape(usersFile)}</users_config>
  <max_server_memory_usage>${config.memoryBytesMax}</max_server_memory_usage>
  <background_pool_size>4</background_pool_size>
  <background_schedule_pool_size>4</background_schedule_pool_size>
  <max_concurrent_queries>200</max_concurrent_queries>
  <keep_alive_timeout>10</keep_alive_timeout>
  <backups><allowed_disk>backups</allowed_disk></backups>
  <storage_configuration><disks><backups>${diskXml(backups)}</backups></disks></storage_configuration>
</clickhouse>
`;
}

/**
 * All queries of the analyst together may have half of the memory, and the processor when others do
 * not want it.
 */
function analystProfile({ memoryBytesMax }: ClickHouseServerConfig): string {
  const bytes = Math.floor(memoryBytesMax / 2);
  const forUser = `<max_memory_usage_for_user>${bytes}</max_memory_usage_for_user>`;
  return `<analyst>
      <readonly>2</readonly>
      <max_memory_usage>1000000000</max_memory_usage>
      ${forUser}
      <max_threads>2</max_threads>
      <os_threads_nice_value_query>19</os_threads_nice_value_query>
      <max_execution_time>30</max_execution_time>
      <max_rows_to_read>2000000000</max_rows_to_read>
      <max_result_rows>1000000</max_result_rows>
      <max_concurrent_queries_for_user>10</max_concurrent_queries_for_user>
      <allow_introspection_functions>0</allow_introspection_functions>
      <constraints>
        <readonly><const/></readonly>
        <max_memory_usage><min>1</min><max>1000000000</max></max_memory_usage>
        <max_memory_usage_for_user><const/></max_memory_usage_for_user>
        <max_threads><min>1</min><max>2</max></max_threads>
        <os_threads_nice_value_query><const/></os_threads_nice_value_query>
        <max_execution_time><min>0.1</min><max>30</max></max_execution_time>
        <max_rows_to_read><min>1</min><max>2000000000</max></max_rows_to_read>
        <max_result_rows><min>1</min><max>1000000</max></max_result_rows>
        <max_concurrent_queries_for_user><const/></max_concurrent_queries_for_user>
        <allow_experimental_eval_table_function><const/></allow_experimental_eval_table_function>
        <allow_experimental_ai_functions><const/></allow_experimental_ai_functions>
        <allow_introspection_functions><const/></allow_introspection_functions>
      </constraints>
    </analyst>`;
}

function diskXml(disk: BackupDisk): string {
  if (disk.kind === 'folder') return `<type>local</type><path>${escape(disk.path)}/</path>`;
  const { endpoint, accessKeyId, secretAccessKey } = disk;
  return `<type>s3_plain</type><endpoint>${escape(endpoint)}</endpoint>`
    + `<access_key_id>${escape(accessKeyId)}</access_key_id>`
    + `<secret_access_key>${escape(secretAccessKey)}</secret_access_key>`;
}

function usersXml(config: ClickHouseServerConfig): string {
  const { credentials, databases, hasAnalyst = true } = config;
  const analysts = hasAnalyst
    ? grantedUser('analyst', credentials.analyst, 'analyst', databases.map(grantAnalyst)) : '';
  return `<clickhouse>
  <profiles>
    <default>
      <async_insert>0</async_insert>
      <date_time_input_format>best_effort</date_time_input_format>
      <max_memory_usage>3000000000</max_memory_usage>
    </default>
    ${analystProfile(config)}
    <history>
      <readonly>2</readonly>
      <max_memory_usage>1000000000</max_memory_usage>
      <max_execution_time>30</max_execution_time>
      <max_result_rows>10000</max_result_rows>
      <max_concurrent_queries_for_user>50</max_concurrent_queries_for_user>
      <constraints>
        <max_memory_usage><max>1000000000</max></max_memory_usage>
        <max_execution_time><min>0.1</min><max>30</max></max_execution_time>
        <max_result_rows><min>1</min><max>10000</max></max_result_rows>
        <max_concurrent_queries_for_user><const/></max_concurrent_queries_for_user>
      </constraints>
    </history>
    <pictures>
      <readonly>2</readonly>
      <max_memory_usage>500000000</max_memory_usage>
      <max_threads>2</max_threads>
      <max_execution_time>10</max_execution_time>
      <max_result_rows>10001</max_result_rows>
      <max_concurrent_queries_for_user>20</max_concurrent_queries_for_user>
      <constraints>
        <max_memory_usage><max>500000000</max></max_memory_usage>
        <max_threads><min>1</min><max>2</max></max_threads>
        <max_execution_time><min>0.1</min><max>10</max></max_execution_time>
        <max_result_rows><min>1</min><max>10001</max></max_result_rows>
        <max_concurrent_queries_for_user><const/></max_concurrent_queries_for_user>
      </constraints>
    </pictures>
    <boot>
      <max_sessions_for_user>1</max_sessions_for_user>
      <constraints><max_sessions_for_user><const/></max_sessions_for_user></constraints>
    </boot>
  </profiles>
  <quotas>
    <default/>
    <analyst>
      <interval>
        <duration>3600</duration>
        <read_rows>${config.analystRowsPerHourMax ?? ANALYST_ROWS_PER_HOUR_MAX}</read_rows>
        <execution_time>7200</execution_time>
      </interval>
    </analyst>
  </quotas>
  <users>
    ${bootUser()}
    ${adminUser(credentials.admin)}
    ${grantedUser('ingest', credentials.ingest, 'default', databases.map(grantIngest))}
    ${analysts}
    ${grantedUser('history', credentials.history, 'history', databases.flatMap(grantHistory))}
    ${grantedUser('pictures', credentials.pictures, 'pictures', databases.flatMap(grantPictures))}
    ${grantedUser('backup', credentials.backup, 'default', databases.flatMap(grantBackup))}
  </users>
</clickhouse>
`;
}

/**
 * The engine always logs its own session in as `default` without a password; max_sessions_for_user
 * makes that one session the only one, so no other session can use that name.
 */
function bootUser(): string {
  return grantedUser('default', '', 'boot', [
    'SYSTEM LISTEN ON *.*',
    'CREATE ARBITRARY TEMPORARY TABLE ON *.*',
    'TABLE ENGINE ON File',
    'SELECT ON default.table',
  ]);
}

function adminUser(password: string): string {
  const all = '<access_management>1</access_management>';
  return user('admin', password, 'default', all);
}

function grantedUser(
  name: string,
  password: string,
  profile: string,
  grants: readonly string[],
): string {
  const queries = grants.map((grant) => `<query>GRANT ${grant}</query>`).join('');
  return user(name, password, profile, `<grants>${queries}</grants>`);
}

function user(name: string, password: string, profile: string, rights: string): string {
  return (
    `<${name}>${secretOf(password)}` +
    '<networks><ip>127.0.0.1</ip><ip>::1</ip></networks>' +
    `<profile>${profile}</profile><quota>${name === 'analyst' ? name : 'default'}</quota>` +
    `${rights}</${name}>`
  );
}

/** Its hash alone: the engine can be asked for its own files, and passwords are random. */
function secretOf(password: string): string {
  if (password === '') return '<password></password>';
  const hash = createHash('sha256').update(password).digest('hex');
  return `<password_sha256_hex>${hash}</password_sha256_hex>`;
}

/**
 * Writers see the landing tables alone, which keep nothing; the views behind them ask for SELECT
 * there. A pattern of databases cannot be joined with one of tables (the engine drops the first
 * star without a word), so there a right reaches every table.
 */
function grantIngest(database: string): string {
  return `SELECT, INSERT, SHOW ON ${database}.${database.endsWith('*') ? '*' : 'in_*'}`;
}

/** The analyst sees the views alone. */
function grantAnalyst(database: string): string {
  return `SELECT, SHOW ON ${database}.${database.endsWith('*') ? '*' : 'v_*'}`;
}

/** Who copies the tables to the disk of backups, and enters that it did. */
function grantBackup(database: string): readonly string[] {
  const own = database.endsWith('*') ? '*' : 'table_backups';
  return [`BACKUP ON ${database}.*`, `SELECT, INSERT ON ${database}.${own}`];
}

/**
 * Who reads what was recorded about a shipment, texts with personal data included, and what became
 * of a call.
 */
function grantHistory(database: string): readonly string[] {
  if (database.endsWith('*')) return [`SELECT ON ${database}.*`];
  return HISTORY_TABLES.map((table) => `SELECT ON ${database}.${table}`);
}

/**
 * Who reads where fleets were, outcomes of items by minute and by call, and what operators asked
 * for, and nothing else.
 */
function grantPictures(database: string): readonly string[] {
  const views = database.endsWith('*')
    ? ['*']
    : [
      'v_fleet_at', 'v_device_track', 'v_device_readings', 'v_odd_fixes', 'ingest_minutes',
      'device_posts', 'v_audits',
    ];
  return views.map((view) => `SELECT ON ${database}.${view}`);
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
