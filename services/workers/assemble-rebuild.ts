import { join } from 'node:path';
import { openClickHouse, type ClickHouse } from '../adapters/clickhouse/clickhouse.ts';
import { createDatabase, migrate, readMigrations } from '../adapters/clickhouse/migrations.ts';
import { createTableUpkeep } from '../adapters/clickhouse/table-upkeep.ts';
import { readConfig } from '../adapters/config/read-config.ts';
import { rebuildSettings } from '../adapters/config/rebuild.ts';
import type { ConfigOf } from '../adapters/config/setting.ts';
import { openKafka } from '../adapters/kafka/open.ts';
import type { RedisConfig } from '../adapters/redis/config.ts';
import { openRedis, type RedisStates } from '../adapters/redis/open-redis.ts';
import { loadSchemas } from '../adapters/schema/load-schemas.ts';
import { sha256 } from '../adapters/secrets/secrets.ts';
import { createIds, systemClock, systemPause } from '../adapters/system/system.ts';
import type { LogReader } from '../kernel/record-log.ts';
import type { Signals } from '../kernel/signals.ts';
import type { TablePartition } from '../kernel/table-upkeep.ts';
import { kafkaConfigOf, openSchemas, redisConfigOf } from '../process/open-log.ts';
import { createStates, type States } from '../state/create-states.ts';
import {
  clickHouseConfigOf, tableWriterConfigOf, watchConfigOf,
} from './assemble-config.ts';
import { readerByWriter } from './common/read-by-writer.ts';
import { createRecordReader } from './common/read-record.ts';
import { rebuildSourcesOf } from './rebuild-sources.ts';
import {
  compareWithLog, rebuildRedis, type RebuildTarget, type StateDifference, type StateRebuilt,
} from './rebuild/rebuild-redis.ts';
import { compareTables, type PartitionDifference } from './rebuild/compare-tables.ts';
import { writeLog } from './table-writer/write-log.ts';
import { WORKERS } from './workers.ts';

/** The configuration of a rebuild that is run by hand. */
export type RebuildConfig = ConfigOf<typeof rebuildSettings>;

/** Reads it; throws one error that names every fault. */
export function readRebuildConfig(env: NodeJS.ProcessEnv): RebuildConfig {
  return readConfig('rebuild', rebuildSettings, env);
}

/** What a rebuild of the tables did. */
export interface TablesRebuilt {
  readonly written: { readonly records: number; readonly refused: number };
  readonly before: readonly TablePartition[];
  readonly after: readonly TablePartition[];
}

/** What was found, and what was written into the shadow. */
export interface TablesCompared {
  readonly written: { readonly records: number; readonly refused: number };
  readonly differences: readonly PartitionDifference[];
}

const SHADOW_DATABASE_NUMBER = '15';
const MIGRATIONS = join(import.meta.dirname, '..', '..', 'infra', 'clickhouse');
const READ_RECORDS_MAX = 10_000;
const CLIENT_ID = 'rastro-workers';
/** The topics from which the stores are made. */
const READ = new Set(WORKERS.flatMap(({ reads, replays }) => [...reads, ...replays]));

async function openStates(config: RedisConfig, signals: Signals): Promise<RedisStates & States> {
  return createStates(config, await openRedis(config, { signals, clock: systemClock }));
}

/** Compares the running state with one that is built from the log beside it. */
export function dryRunRedis(config: RebuildConfig, signals: Signals): Promise<StateDifference> {
  return withLog(config, signals, async (reader) => {
    const redis = redisConfigOf(config);
    const live = await openStates(redis, signals);
    const shadow = await openStates(
      { ...redis, url: shadowUrlOf(config), cluster: false, sentinels: [] }, signals,
    );
    try {
      return await compareWithLog(
        watchConfigOf(config), targetOf(live, reader, signals), targetOf(shadow, reader, signals),
        sha256,
      );
    } finally {
      await Promise.all([live.close(), shadow.close()]);
    }
  });
}

/** Builds the running state again from the log. */
export function runRedis(
  config: RebuildConfig, signals: Signals, withFixes: boolean,
): Promise<StateRebuilt> {
  return withLog(config, signals, async (reader) => {
    const states = await openStates(redisConfigOf(config), signals);
    try {
      const target = targetOf(states, reader, signals);
      return await rebuildRedis(watchConfigOf(config), target, sha256, withFixes);
    } finally {
      await states.close();
    }
  });
}

/** Writes the log into a database of its own and compares the tables with it. */
export function dryRunTables(config: RebuildConfig, signals: Signals): Promise<TablesCompared> {
  const database = config.RASTRO_SHADOW_DATABASE ?? `${config.CLICKHOUSE_DATABASE}_shadow`;
  return withLog(config, signals, async (reader) => {
    const server = adminOf(config, 'default', signals);
    const live = adminOf(config, config.CLICKHOUSE_DATABASE, signals);
    const shadow = adminOf(config, database, signals);
    try {
      await server.execute(`DROP DATABASE IF EXISTS ${database} SYNC`);
      await createDatabase(server, database);
      await migrate(shadow, await readMigrations(MIGRATIONS));
      const written = await writeInto(shadow, config, reader, signals);
      const differences = await compareTables(
        createTableUpkeep(live, config.CLICKHOUSE_DATABASE), createTableUpkeep(shadow, database),
        database, systemPause,
      );
      return { written, differences };
    } finally {
      await server.execute(`DROP DATABASE IF EXISTS ${database} SYNC`).catch(() => undefined);
      await Promise.all([server.close(), live.close(), shadow.close()]);
    }
  });
}

/** Writes the log into the running tables once more; nothing is removed from them. */
export function runTables(config: RebuildConfig, signals: Signals): Promise<TablesRebuilt> {
  return withLog(config, signals, async (reader) => {
    const sink = openClickHouse(clickHouseConfigOf(config), { signals });
    const admin = adminOf(config, config.CLICKHOUSE_DATABASE, signals);
    const upkeep = createTableUpkeep(admin, config.CLICKHOUSE_DATABASE);
    try {
      const before = await upkeep.partitions();
      const written = await writeInto(sink, config, reader, signals);
      return { written, before, after: await upkeep.partitions() };
    } finally {
      await Promise.all([sink.close(), admin.close()]);
    }
  });
}

function writeInto(
  sink: ClickHouse, config: RebuildConfig, reader: LogReader, signals: Signals,
): Promise<{ readonly records: number; readonly refused: number }> {
  const name = `rebuild-${createIds(systemClock).nonce()}`;
  // What the tables refuse was handled when it came; here it is only counted.
  const limits = { ...tableWriterConfigOf(config), rejectedRatioMax: 1 };
  return writeLog(limits, {
    reader, name, sink, digest: sha256, clock: systemClock, signals,
  });
}

function targetOf(
  states: RedisStates & States, reader: LogReader, signals: Signals,
): RebuildTarget {
  return {
    upkeep: states.upkeep,
    lastFixes: states.lastFixes,
    sources: rebuildSourcesOf(states, createRecordReader(loadSchemas())),
    ports: {
      readiness: states.readiness, reader, owner: createIds(systemClock).nonce(),
      isStopping: () => false, clock: systemClock, signals,
    },
  };
}

function shadowUrlOf(config: RebuildConfig): string {
  if (config.RASTRO_SHADOW_REDIS_URL !== undefined) return config.RASTRO_SHADOW_REDIS_URL;
  if (config.RASTRO_REDIS_CLUSTER) {
    throw new Error('A cluster has one database; set RASTRO_SHADOW_REDIS_URL.');
  }
  if (config.RASTRO_REDIS_SENTINELS.length > 0) {
    throw new Error('Sentinels know one address; set RASTRO_SHADOW_REDIS_URL.');
  }
  const url = new URL(config.REDIS_URL);
  url.pathname = `/${SHADOW_DATABASE_NUMBER}`;
  if (url.href === new URL(config.REDIS_URL).href) {
    throw new Error('The state is in the database of the shadow; set RASTRO_SHADOW_REDIS_URL.');
  }
  return url.href;
}

function adminOf(config: RebuildConfig, database: string, signals: Signals): ClickHouse {
  return openClickHouse({
    ...clickHouseConfigOf(config), user: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD, database,
  }, { signals });
}

async function withLog<Result>(
  config: RebuildConfig, signals: Signals, work: (reader: LogReader) => Promise<Result>,
): Promise<Result> {
  const schemas = await openSchemas(config, CLIENT_ID, READ, signals);
  const kafka = openKafka(
    kafkaConfigOf(config, {
      clientId: CLIENT_ID, more: { reader: { batchRecordsMax: READ_RECORDS_MAX } },
    }),
    { signals, clock: systemClock, schemaIdOf: (topic) => schemas.schemaIdOf(topic) },
  );
  try {
    return await work(readerByWriter(kafka.reader, schemas));
  } finally {
    await kafka.close(systemClock.nowMs());
  }
}
