import type { IngestMinute, IngestMinutes } from '../../kernel/ingest-minutes.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { ClickHouse, ResultRow } from './clickhouse.ts';

const COUNTS = ['calls', 'accepted', 'stored', 'outlier', 'out_of_order', 'ignored_after_final',
  'disputed', 'dead_lettered', 'waiting'] as const;

/**
 * Reads the balance by minute from an open store, as the user `pictures`; without a store every
 * call throws `Unavailable`.
 */
export function createIngestMinutes(
  store: Pick<ClickHouse, 'query'> | undefined,
): IngestMinutes {
  return {
    async find(sinceMs, untilMs) {
      if (store === undefined) {
        throw new Unavailable('sink_unavailable', 'receive', 'no analytical store is configured');
      }
      const rows = await store.query(`
        SELECT toUnixTimestamp(minute) AS minute_s, kind, ${COUNTS.join(', ')}
        FROM ingest_minutes(since = '${textOf(sinceMs)}', until = '${textOf(untilMs)}')
        ORDER BY minute_s, kind`);
      return rows.map(minuteOf);
    },
  };
}

function textOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 23).replace('T', ' ');
}

function minuteOf(row: ResultRow): IngestMinute {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, Number(row[name])]));
  return {
    minuteMs: Number(row['minute_s']) * 1_000, kind: String(row['kind']), ...counts,
  } as unknown as IngestMinute;
}
