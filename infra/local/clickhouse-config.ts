import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from './credentials.ts';

/** What the configuration files of one ClickHouse directory depend on. */
export type ClickHouseServerConfig = {
  readonly dir: string;
  readonly credentials: Credentials;
  /** Databases of the users ingest, analyst and history; a trailing `*` covers every such name. */
  readonly databases: readonly string[];
  readonly memoryBytesMax: number;
  /** Rows that all queries of the analyst may read in an hour. */
  readonly analystRowsPerHourMax?: number;
};

const ANALYST_ROWS_PER_HOUR_MAX = 100_000_000_000;

const HISTORY_TABLES = [
  'notification_topics', 'notification_bodies', 'shipment_journeys', 'ingest_records',
  'v_ingest_outcomes', 'shipment_notifications', 'deferred_answers', 'deferred_events',
  'v_location_outliers', 'v_telemetry_event_outliers', 'v_delivery_outliers',
];

/**
 * Writes users.xml and config.xml and returns the path of the latter. Backups go to files below
 * `backups` of the same directory; move them elsewhere. Users live only here: the
 * embedded engine refuses CREATE USER (code 514).
 */
export function writeClickHouseConfig(config: ClickHouseServerConfig): string {
  mkdirSync(config.dir, { recursive: true });
  const usersFile = join(config.dir, 'users.xml');
  const configFile = join(config.dir, 'config.xml');
  writeFileSync(usersFile, usersXml(config), { mode: 0o600 });
  writeFileSync(configFile, configXml(config, usersFile), { mode: 0o600 });
  return configFile;
}

function configXml(config: ClickHouseServerConfig, usersFile: string): string {
  return `<clickhouse>
  <users_config>${escape(usersFile)}</users_config>
  <max_server_memory_usage>${config.memoryBytesMax}</max_server_memory_usage>
  <background_pool_size>4</background_pool_size>
  <background_schedule_pool_size>4</background_schedule_pool_size>
  <max_concurrent_queries>200</max_concurrent_queries>
  <keep_alive_timeout>10</keep_alive_timeout>
  <backups><allowed_path>${escape(join(config.dir, 'backups'))}</allowed_path></backups>
</clickhouse>
`;
}

/** What all queries of the analyst together may have. */
function halfOfMemory({ memoryBytesMax }: ClickHouseServerConfig): string {
  const bytes = Math.floor(memoryBytesMax / 2);
  return `<max_memory_usage_for_user>${bytes}</max_memory_usage_for_user>`;
}

function usersXml(config: ClickHouseServerConfig): string {
  const { credentials, databases } = config;
  return `<clickhouse>
  <profiles>
    <default>
      <async_insert>0</async_insert>
      <date_time_input_format>best_effort</date_time_input_format>
      <max_memory_usage>3000000000</max_memory_usage>
    </default>
    <analyst>
      <readonly>2</readonly>
      <max_memory_usage>1000000000</max_memory_usage>
      ${halfOfMemory(config)}
      <max_threads>2</max_threads>
      <max_execution_time>30</max_execution_time>
      <max_rows_to_read>2000000000</max_rows_to_read>
      <max_result_rows>1000000</max_result_rows>
      <max_concurrent_queries_for_user>10</max_concurrent_queries_for_user>
      <constraints>
        <readonly><const/></readonly>
        <max_memory_usage><min>1</min><max>1000000000</max></max_memory_usage>
        <max_memory_usage_for_user><const/></max_memory_usage_for_user>
        <max_threads><min>1</min><max>2</max></max_threads>
        <max_execution_time><min>0.1</min><max>30</max></max_execution_time>
        <max_rows_to_read><min>1</min><max>2000000000</max></max_rows_to_read>
        <max_result_rows><min>1</min><max>1000000</max></max_result_rows>
        <max_concurrent_queries_for_user><const/></max_concurrent_queries_for_user>
      </constraints>
    </analyst>
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
    ${grantedUser('analyst', credentials.analyst, 'analyst', databases.map(grantAnalyst))}
    ${grantedUser('history', credentials.history, 'history', databases.flatMap(grantHistory))}
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
    `<${name}><password>${escape(password)}</password>` +
    '<networks><ip>127.0.0.1</ip><ip>::1</ip></networks>' +
    `<profile>${profile}</profile><quota>${name === 'analyst' ? name : 'default'}</quota>` +
    `${rights}</${name}>`
  );
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

/**
 * Who reads what was recorded about a shipment, texts with personal data included, and what became
 * of a call.
 */
function grantHistory(database: string): readonly string[] {
  if (database.endsWith('*')) return [`SELECT ON ${database}.*`];
  return HISTORY_TABLES.map((table) => `SELECT ON ${database}.${table}`);
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
