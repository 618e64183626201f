import {
  SCORE_DAYS_MAX, type ProviderQuality, type ProviderScore,
} from '../../kernel/provider-quality.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { ClickHouse, ResultRow } from './clickhouse.ts';

const DAY_MS = 86_400_000;

/** Days whose rows are the newest; of those of the last minute the view reads records. */
const COMPUTED_DAYS = `
SELECT toString(day) AS day
FROM provider_day_states
WHERE NOT is_open AND computed_at <= now64(3, 'UTC') - INTERVAL 60 SECOND
ORDER BY day DESC
LIMIT ${SCORE_DAYS_MAX}`;

const scoresBetween = (since: string, until: string): string => `
SELECT provider, devices, fixes, latency_p50_s, latency_p95_s, latency_p99_s, future, stale,
       zero_position, duplicates, outliers, out_of_order, gaps, devices_off
FROM v_provider_quality(since = '${since}', until = '${until}')
WHERE provider IN {providers:Array(String)}
ORDER BY provider`;

const NUMBERS = [
  'devices', 'fixes', 'latency_p50_s', 'latency_p95_s', 'latency_p99_s', 'future', 'stale',
  'zero_position', 'duplicates', 'outliers', 'out_of_order', 'gaps', 'devices_off',
] as const satisfies readonly (keyof ProviderScore)[];

/**
 * Reads scores from an open store, as the user `history`; without a store every call throws
 * `Unavailable`.
 */
export function createProviderQuality(
  store: Pick<ClickHouse, 'query'> | undefined,
): ProviderQuality {
  return {
    async find(providers) {
      if (store === undefined) {
        throw new Unavailable('sink_unavailable', 'receive', 'no analytical store is configured');
      }
      const days = (await store.query(COMPUTED_DAYS)).map(({ day }) => Date.parse(String(day)));
      const [newest] = days;
      if (newest === undefined) return undefined;
      const until = newest + DAY_MS;
      const since = oldestInARow(newest, days);
      const rows = await store.query(scoresBetween(textOf(since), textOf(until)), { providers });
      return { sinceMs: since, untilMs: until, scores: rows.map(scoreOf) };
    },
  };
}

/** How far back from the newest no day is missing; `days` begin with the newest. */
function oldestInARow(newest: number, days: readonly number[]): number {
  const inARow = days.findIndex((day, index) => day !== newest - index * DAY_MS);
  return newest - ((inARow === -1 ? days.length : inARow) - 1) * DAY_MS;
}

function textOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

function scoreOf(row: ResultRow): ProviderScore {
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, Number(row[name])]));
  return { provider: String(row['provider']), ...numbers } as unknown as ProviderScore;
}
