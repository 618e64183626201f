import { migrateDatabase } from '../../../infra/clickhouse/migrate-database.ts';
import { CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse }
  from '../../../services/adapters/clickhouse/clickhouse.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { spliceMetadata } from '../../../services/workers/table-writer/splice-metadata.ts';
import type { BenchCluster } from '../cluster.ts';

/** Fixes of a post: today and all days that are kept whole. */
export const DAYS = 399;

const DEVICES = 500;

/** Does work in a database of its own, with the product's tables, and drops it. */
export async function inOwnDatabase<Result>(
  { local }: BenchCluster, database: string, work: (store: ClickHouse) => Promise<Result>,
): Promise<Result> {
  const { CLICKHOUSE_URL: url, CLICKHOUSE_USER: user, CLICKHOUSE_PASSWORD: password } =
    local.stack.env;
  const target = { url, user, password, database };
  await migrateDatabase(target);
  const store = openClickHouse({ ...CLICKHOUSE_LIMITS, ...target }, { signals: silentSignals });
  try {
    return await work(store);
  } finally {
    await store.execute(`DROP DATABASE ${database}`);
    await store.close();
  }
}

let offset = 0;

/** Posts of {@link DAYS} fixes that are so many seconds apart, no two alike: rows to insert. */
export function fixLines(posts: number, stepS: number): Uint8Array[] {
  const nowMs = Date.now();
  return Array.from({ length: posts }, () => {
    offset += 1;
    const newest = Math.floor(nowMs / 1_000) - 60 - Math.floor(offset / DEVICES);
    const locations = Array.from({ length: DAYS }, (_, i) => {
      const timestamp = newest - i * stepS;
      return {
        timestamp, country_id: 'AR', latitude: -23.5 + i * 1e-4, longitude: -46.6 + offset * 1e-6,
        accuracy: 5, telemetry: { timestamp, speed: i % 90, ignition: true, odometer: 1_000 + i },
      };
    });
    const line = spliceMetadata({
      topic: 'rtt.locations.v1', topicId: 'bench', partition: 0, offset: BigInt(offset),
      key: `device-${offset % DEVICES}`, schemaId: 1, timestampMs: nowMs,
      value: Buffer.from(JSON.stringify({ post_timestamp: newest, locations })),
      headers: {
        'received-at': String(nowMs), client: '1', provider: 'bench', country: 'AR',
        n: String(DAYS),
      },
    });
    if (line === undefined) throw new Error('A post of the bench has no keys.');
    return line;
  });
}
