import type { ClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import type { BenchCluster } from '../cluster.ts';
import { cpuUs } from '../measure/cpu.ts';
import { median } from '../measure/statistics.ts';
import { DAYS, fixLines, inOwnDatabase } from './fix-lines.ts';

/** Inserts of one size: of fixes of the last minutes, and of fixes that come late. */
export interface LateInserts {
  readonly locations: number;
  /** Medians of CPU of ClickHouse for an insert, in ms. */
  readonly freshMs: number;
  readonly lateMs: number;
  /** Most parts that an insert made. */
  readonly freshParts: number;
  readonly lateParts: number;
}

const DATABASE = 'bench_late';
const DAY_S = 86_400;
const ROUNDS = 7;
/** Posts of an insert: the least, and as much as the table-writer puts into one. */
const POSTS = [1, 125];

/**
 * Inserts straight into a database of its own, by turns fresh and late fixes. Merges wait
 * meanwhile, so that parts can be counted and only inserts cost.
 */
export function measureLate(cluster: BenchCluster): Promise<readonly LateInserts[]> {
  return inOwnDatabase(cluster, DATABASE, async (store) => {
    await holdBackground(store);
    const rows: LateInserts[] = [];
    for (const posts of POSTS) rows.push(await measureSize(store, cluster, posts));
    return rows;
  });
}

async function measureSize(
  store: ClickHouse, cluster: BenchCluster, posts: number,
): Promise<LateInserts> {
  const pids = [cluster.pidOf('clickhouse')];
  const costs = { fresh: [] as number[], late: [] as number[] };
  const parts = { fresh: 0, late: 0 };
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const kind of ['fresh', 'late'] as const) {
      const lines = fixLines(posts, kind === 'late' ? DAY_S : 1);
      const [cpuBefore, partsBefore] = [cpuUs(pids), await partsOf(store)];
      const answer = await store.insert('in_locations', lines, `${kind}-${posts}-${round}`);
      if (answer.kind !== 'stored') throw new Error(`${kind} fixes: ${answer.detail}`);
      // The first round only warms up.
      if (round < 0) continue;
      costs[kind].push((cpuUs(pids) - cpuBefore) / 1_000);
      parts[kind] = Math.max(parts[kind], await partsOf(store) - partsBefore);
    }
  }
  return {
    locations: posts * DAYS, freshMs: median(costs.fresh), lateMs: median(costs.late),
    freshParts: parts.fresh, lateParts: parts.late,
  };
}

async function holdBackground(store: ClickHouse): Promise<void> {
  for (const view of ['device_hours', 'device_older_hours', 'device_empty_hours', 'device_days']) {
    await store.execute(`SYSTEM STOP VIEW ${view}_refresh`);
  }
  const tables = await store.query(`
    SELECT name FROM system.tables
    WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`);
  for (const { name } of tables) {
    await store.execute(`SYSTEM STOP MERGES ${DATABASE}.${String(name)}`);
  }
}

async function partsOf(store: ClickHouse): Promise<number> {
  const [row] = await store.query(`
    SELECT count() AS parts FROM system.parts WHERE active AND database = currentDatabase()`);
  return Number(row?.['parts']);
}
