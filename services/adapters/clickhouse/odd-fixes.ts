import type { OddFix, OddFixes } from '../../kernel/odd-fixes.ts';
import type { ClickHouse, ResultRow } from './clickhouse.ts';

const NEWEST = `
SELECT kind, toUnixTimestamp64Milli(ts) AS at_ms,
       toUnixTimestamp64Milli(received_at) AS received_at_ms, provider, latitude, longitude,
       k_partition, k_offset
FROM v_odd_fixes(device = {device:String}, since = {since:DateTime('UTC')},
                 until = {until:DateTime('UTC')})
ORDER BY received_at_ms DESC, at_ms DESC, kind
LIMIT {most:UInt32}`;

/** Asks the view of the analysts, for a user who may read it. */
export function createOddFixes(store: Pick<ClickHouse, 'query'>): OddFixes {
  return {
    async newest(device, sinceMs, untilMs, most) {
      const text = (milliseconds: number): string => (
        new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
      );
      const rows = await store.query(
        NEWEST, { device, since: text(sinceMs), until: text(untilMs), most },
      );
      return rows.map(oddFixOf);
    },
  };
}

function oddFixOf(row: ResultRow): OddFix {
  const number = (name: string): number => Number(row[name]);
  return {
    kind: String(row['kind']), at_ms: number('at_ms'), received_at_ms: number('received_at_ms'),
    provider: String(row['provider']), latitude: number('latitude'),
    longitude: number('longitude'), partition: number('k_partition'), offset: number('k_offset'),
  };
}
