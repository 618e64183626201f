import type { IngestAudit } from '../../kernel/ingest.ts';
import type { ClickHouse } from './clickhouse.ts';

/** Asks the view of the alarm, the one thing that the user `ingest` may read. */
export function createIngestAudit(store: Pick<ClickHouse, 'query'>): IngestAudit {
  return {
    async unexplained(sinceMs, untilMs) {
      const text = (milliseconds: number): string => (
        new Date(milliseconds).toISOString().slice(0, 23).replace('T', ' ')
      );
      const [row] = await store.query(
        `SELECT * FROM in_ingest_alarm(since = '${text(sinceMs)}', until = '${text(untilMs)}')`,
      );
      return {
        items: Number(row?.['unexplained_items'] ?? 0),
        unreadRecords: Number(row?.['unread_records'] ?? 0),
      };
    },
  };
}
