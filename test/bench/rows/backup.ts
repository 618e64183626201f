import { CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse }
  from '../../../services/adapters/clickhouse/clickhouse.ts';
import { createTableBackups } from '../../../services/adapters/clickhouse/table-backups.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { TableBackups } from '../../../services/kernel/table-backups.ts';
import { spliceMetadata } from '../../../services/workers/table-writer/splice-metadata.ts';
import { migrateDatabase } from '../../../infra/clickhouse/migrate-database.ts';
import type { BenchCluster } from '../cluster.ts';

/** What a backup and a restore of the tables cost. */
export interface BackupRow {
  readonly locations: number;
  /** Seconds of a backup that needs no other, and its bytes. */
  readonly fullSeconds: number;
  readonly fullBytes: number;
  /** The same of one upon it, after so many locations more. */
  readonly moreLocations: number;
  readonly uponSeconds: number;
  readonly uponBytes: number;
  /** Seconds of a restore of the second one, which reads both. */
  readonly restoreSeconds: number;
  readonly wrong: readonly string[];
}

const DATABASE = 'bench_backup';
const DISK = 'backups';
const LOCATIONS = 1_000_000;
const MORE = 100_000;
const INSERT = 50_000;
const POST = 100;
const DEVICES = 500;
const STATEMENT_MS_MAX = 600_000;

/**
 * Fills a database of its own, copies it to the disk of backups, copies it again upon that after a
 * tenth more, and restores. Merges go on meanwhile, as they do at night.
 */
export async function measureBackup(cluster: BenchCluster): Promise<BackupRow> {
  const { CLICKHOUSE_URL: url, CLICKHOUSE_USER: user, CLICKHOUSE_PASSWORD: password } =
    cluster.local.stack.env;
  const target = { url, user, password, database: DATABASE };
  await migrateDatabase(target);
  const open = (database: string): ClickHouse => openClickHouse(
    { ...CLICKHOUSE_LIMITS, ...target, database, requestMsMax: STATEMENT_MS_MAX },
    { signals: silentSignals },
  );
  const [store, server] = [open(DATABASE), open('default')];
  try {
    const backups = createTableBackups({ database: DATABASE, disk: DISK }, { store, server });
    return await measure(store, server, backups);
  } finally {
    await server.execute(`DROP DATABASE IF EXISTS ${DATABASE}`);
    await Promise.all([store.close(), server.close()]);
  }
}

async function measure(
  store: ClickHouse, server: ClickHouse, backups: TableBackups,
): Promise<BackupRow> {
  const [full, upon] = [1, 2].map((each) => `bench-${Date.now()}-${each}`) as [string, string];
  const copy = async (name: string, base: string | undefined): Promise<number> => {
    const begunMs = performance.now();
    const answer = await backups.write({ name, base, startedAtMs: Date.now(), offsets: [] });
    if (answer !== 'written') throw new Error(`The backup ended with ${answer}.`);
    return (performance.now() - begunMs) / 1_000;
  };
  await fill(store, LOCATIONS);
  const fullSeconds = await copy(full, undefined);
  await fill(store, MORE);
  const uponSeconds = await copy(upon, full);
  const before = await rowsIn(store);
  const begunMs = performance.now();
  await backups.restore(upon);
  const restoreSeconds = (performance.now() - begunMs) / 1_000;
  const after = await rowsIn(store);
  return {
    locations: LOCATIONS, fullSeconds, fullBytes: await bytesOf(server, full),
    moreLocations: MORE, uponSeconds, uponBytes: await bytesOf(server, upon), restoreSeconds,
    wrong: before === after && before === LOCATIONS + MORE
      ? [] : [`${before} locations before the restore, ${after} after it`],
  };
}

async function rowsIn(store: ClickHouse): Promise<number> {
  const [row] = await store.query('SELECT count() AS n FROM v_locations');
  return Number(row?.['n']);
}

/** What was copied, without what the base has. */
async function bytesOf(server: ClickHouse, name: string): Promise<number> {
  const [row] = await server.query(
    'SELECT compressed_size AS bytes FROM system.backups WHERE name LIKE {like:String}',
    { like: `%${name}%` },
  );
  return Number(row?.['bytes']);
}

let offset = 0;

async function fill(store: ClickHouse, locations: number): Promise<void> {
  for (let done = 0; done < locations; done += INSERT) {
    const lines = Array.from({ length: INSERT / POST }, lineOf);
    const answer = await store.insert('in_locations', lines, `backup-${offset}`);
    if (answer.kind !== 'stored') throw new Error(`fixes: ${answer.detail}`);
  }
}

/** A post of the last hours, a device after the other, no two fixes alike. */
function lineOf(): Uint8Array {
  offset += 1;
  const nowMs = Date.now();
  const newest = Math.floor(nowMs / 1_000) - 60 - Math.floor(offset / DEVICES) * POST;
  const locations = Array.from({ length: POST }, (_, i) => ({
    timestamp: newest - i, country_id: 'AR', latitude: -23.5 + i * 1e-4,
    longitude: -46.6 + (offset % 1_000) * 1e-4, accuracy: 5,
    telemetry: { timestamp: newest - i, speed: i % 90, ignition: true, odometer: 1_000 + i },
  }));
  const line = spliceMetadata({
    topic: 'rtt.locations.v1', topicId: 'bench', partition: 0, offset: BigInt(offset),
    key: `device-${offset % DEVICES}`, schemaId: 1, timestampMs: nowMs,
    value: Buffer.from(JSON.stringify({ post_timestamp: newest, locations })),
    headers: {
      'received-at': String(nowMs), client: '1', provider: 'bench', country: 'AR', n: String(POST),
    },
  });
  if (line === undefined) throw new Error('A post of the bench has no keys.');
  return line;
}
