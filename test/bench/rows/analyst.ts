import type { ClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { systemPause } from '../../../services/adapters/system/system.ts';
import type { BenchCluster } from '../cluster.ts';
import { median } from '../measure/statistics.ts';
import { DAYS, fixLines, inOwnDatabase } from './fix-lines.ts';

/** Inserts alone, and beside analysts that ask the worst. */
export interface AnalystRow {
  readonly locations: number;
  /** Medians of the time of an insert, in ms. */
  readonly aloneMs: number;
  readonly besideMs: number;
  /** Rounds of both kinds, by turns. */
  readonly rounds: number;
  /** Queries that ran beside the inserts. */
  readonly queries: number;
}

const DATABASE = 'bench_analyst';
const ROUNDS = 15;
/** Posts of an insert, about a second of a busy writer. */
const POSTS = 50;
/** One query, and as many as all analysts may have at once. */
const QUERIES = [1, 10];
const LOOK_AGAIN_MS = 20;
const ENDS_WITH_ITS_CALLER = 'cancel_http_readonly_queries_on_client_close=1';
/** As many rows as an analyst may read, so that it runs until its time is over. */
const WORST = 'SELECT sum(sipHash64(number, number + 1, number + 2)) FROM numbers(1999999999)';

/**
 * Inserts by turns alone and beside queries of analysts, each of which takes all the processor that
 * it is given.
 */
export function measureAnalysts(cluster: BenchCluster): Promise<readonly AnalystRow[]> {
  return inOwnDatabase(cluster, DATABASE, async (store) => {
    const rows: AnalystRow[] = [];
    for (const queries of QUERIES) rows.push(await measureBeside(cluster, store, queries));
    return rows;
  });
}

async function measureBeside(
  cluster: BenchCluster, store: ClickHouse, queries: number,
): Promise<AnalystRow> {
  const times = { alone: [] as number[], beside: [] as number[] };
  const insert = async (kind: keyof typeof times, round: number): Promise<void> => {
    const lines = fixLines(POSTS, 1);
    const before = performance.now();
    const answer = await store.insert('in_locations', lines, `${kind}-${queries}-${round}`);
    if (answer.kind !== 'stored') throw new Error(`${kind}: ${answer.detail}`);
    // The first round only warms up.
    if (round >= 0) times[kind].push(performance.now() - before);
  };
  const running = async (count: number): Promise<void> => {
    const ask = "SELECT count() AS n FROM system.processes WHERE user = 'analyst'";
    while (Number((await store.query(ask))[0]?.['n']) !== count) await systemPause(LOOK_AGAIN_MS);
  };
  for (let round = -1; round < ROUNDS; round += 1) {
    await insert('alone', round);
    const asked = askWorst(cluster, queries);
    await running(queries);
    await insert('beside', round);
    await asked.end();
    await running(0);
  }
  return {
    locations: POSTS * DAYS, rounds: ROUNDS, queries,
    aloneMs: median(times.alone), besideMs: median(times.beside),
  };
}

/** So many queries at once; one that ends is asked again. */
function askWorst(cluster: BenchCluster, queries: number): { end(): Promise<void> } {
  const { CLICKHOUSE_URL, ANALYST_USER, ANALYST_PASSWORD } = cluster.local.stack.env;
  const leaving = new AbortController();
  const asking = Promise.all(Array.from({ length: queries }, async () => {
    while (!leaving.signal.aborted) {
      try {
        const answer = await fetch(`${CLICKHOUSE_URL}/?${ENDS_WITH_ITS_CALLER}`, {
          method: 'POST', body: WORST, signal: leaving.signal,
          headers: { 'X-ClickHouse-User': ANALYST_USER, 'X-ClickHouse-Key': ANALYST_PASSWORD },
        });
        await answer.text();
      } catch (error) {
        if (!leaving.signal.aborted) throw error;
      }
    }
  }));
  return { async end() { leaving.abort(); await asking; } };
}
