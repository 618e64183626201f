import { Redis } from 'ioredis';
import { CLICKHOUSE_LIMITS, openClickHouse } from '../../services/adapters/clickhouse/clickhouse.ts';
import { keys, tagOfClient } from '../../services/adapters/redis/keys.ts';
import { DATABASE, type LocalStack } from '../../infra/local/processes/local-stack.ts';
import { silentSignals } from '../../services/kernel/signals.ts';

/** The tables as an operator sees them, asked past every view that costs. */
export interface BenchTables {
  /** Rows of locations, doubles included: so a double would show. */
  locations(): Promise<number>;
  /** Second of the newest fix of a device from one on; 0 when there is none. */
  newest(deviceId: string, fromSecond: number): Promise<number>;
  /** Bytes on disk of the tables, and rows in them. */
  size(): Promise<readonly TableSize[]>;
  /** Merges all parts of a table into one. */
  mergeAll(table: string): Promise<void>;
  /** Views that are computed again and again in the background. */
  refreshed(): Promise<readonly string[]>;
  /**
   * Runs work while nothing is computed there: each minute it would fall into some row. Within such
   * work more of it may be run.
   */
  withoutRefreshes<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Computes a view at once, which is stopped; rejects when that fails. */
  refresh(view: string): Promise<void>;
  /** The clock of the tables. */
  nowMs(): Promise<number>;
  /** Fixes of the days of devices that were computed since. */
  fixesOfDaysSince(sinceMs: number): Promise<number>;
  close(): Promise<void>;
}

/** One table on disk. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Last fixes, read from the state store itself. */
export interface LastStates {
  /** Second of the last fix of a device; 0 when it has none. */
  newest(deviceId: string): Promise<number>;
  close(): void;
}

/** Opens the tables with all rights. */
export function openStore({ stack: { env } }: Pick<LocalStack, 'stack'>): BenchTables {
  const store = openClickHouse({
    ...CLICKHOUSE_LIMITS, url: env.CLICKHOUSE_URL, database: DATABASE,
    user: env.CLICKHOUSE_USER, password: env.CLICKHOUSE_PASSWORD,
  }, { signals: silentSignals });
  /** Works that want nothing to be computed. */
  let running = 0;
  const refreshed = async (): Promise<readonly string[]> => {
    const rows = await store.query(
      'SELECT view FROM system.view_refreshes WHERE database = currentDatabase() ORDER BY view',
    ) as { view: unknown }[];
    return rows.map(({ view }) => String(view));
  };
  return {
    async locations() {
      const [row] = await store.query('SELECT count() AS n FROM locations') as { n: unknown }[];
      return Number(row?.n);
    },
    async newest(device, from) {
      const [row] = await store.query(`
        SELECT toUnixTimestamp(max(ts)) AS newest FROM locations
        WHERE device_id = {device:String} AND ts >= toDateTime({from:Int64}, 'UTC')
      `, { device, from }) as { newest: unknown }[];
      return Number(row?.newest);
    },
    async size() {
      const rows = await store.query(`
        SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
        WHERE database = currentDatabase() AND active GROUP BY table ORDER BY bytes DESC
      `) as { table: string; rows: unknown; bytes: unknown }[];
      return rows.map(({ table, rows: count, bytes }) => (
        { table, rows: Number(count), bytes: Number(bytes) }
      ));
    },
    async mergeAll(table) {
      await store.execute(`OPTIMIZE TABLE ${table} FINAL`);
    },
    refreshed,
    async withoutRefreshes(work) {
      const views = running === 0 ? await refreshed() : [];
      running += 1;
      try {
        for (const view of views) await store.execute(`SYSTEM STOP VIEW ${view}`);
        return await work();
      } finally {
        running -= 1;
        for (const view of views) await store.execute(`SYSTEM START VIEW ${view}`);
      }
    },
    async refresh(view) {
      for (const what of ['START', 'REFRESH', 'WAIT', 'STOP']) {
        await store.execute(`SYSTEM ${what} VIEW ${view}`);
      }
    },
    async nowMs() {
      const [row] = await store.query('SELECT toUnixTimestamp64Milli(now64(3)) AS at') as { at: unknown }[];
      return Number(row?.at);
    },
    async fixesOfDaysSince(sinceMs) {
      const [row] = await store.query(`
        SELECT sum(fixes) AS fixes FROM device_days
        WHERE computed_at >= fromUnixTimestamp64Milli({sinceMs:Int64})
      `, { sinceMs }) as { fixes: unknown }[];
      return Number(row?.fixes);
    },
    close: () => store.close(),
  };
}

/** Opens the state store past the product's own code. */
export function openLastStates({ stack: { env }, identity }: LocalStack): LastStates {
  const redis = new Redis(env.REDIS_URL);
  const tag = tagOfClient(identity.clientId);
  return {
    async newest(deviceId) {
      return Number(await redis.hget(keys.lastFix(tag, deviceId), 'timestamp') ?? 0);
    },
    close: () => { redis.disconnect(); },
  };
}
