import type { StoredRow } from '../evidence.ts';
import type { StackAddresses } from '../../run-files.ts';

/** How long one query may take, in milliseconds. */
const QUERY_MS = 120_000;

type Row = Readonly<Record<string, unknown>>;

/** One view with the query that shows its rows as items. */
interface View {
  readonly kind: StoredRow['kind'];
  readonly isOutlier: boolean;
  readonly query: string;
}

const LIST_MARK = `arrayFirst(p -> p.name = 'mark', metadata).value`;
const JSON_MARK = `arrayFirst(p -> p.1 = 'mark', JSONExtract(content, 'metadata',
    'Array(Tuple(name String, value String))')).2`;

/** Each row: mark, key, client_id, provider, and as `sent` what must be as it was sent. */
const VIEWS: readonly View[] = [
  {
    kind: 'location', isOutlier: false,
    query: `SELECT metadata['mark'] AS mark, device_id AS key, client_id, provider,
      map('timestamp', toFloat64(toUnixTimestamp(ts)), 'latitude', latitude,
          'longitude', longitude) AS sent FROM v_locations`,
  },
  {
    kind: 'location', isOutlier: true,
    query: `SELECT ${JSON_MARK} AS mark, device_id AS key, client_id, provider,
      map('timestamp', JSONExtractFloat(content, 'timestamp')) AS sent
      FROM v_location_outliers WHERE kind = 'location'`,
  },
  {
    kind: 'notification', isOutlier: false,
    query: `SELECT carrier_code AS mark, tracking_number AS key, client_id, '' AS provider,
      map('code', toString(code)) AS sent, concat(k_partition, '@', k_offset) AS record_id
      FROM v_notifications`,
  },
  {
    kind: 'event', isOutlier: false,
    query: `SELECT ${LIST_MARK} AS mark, device_id AS key, client_id, provider,
      map('name', toString(name)) AS sent FROM v_telemetry_events`,
  },
  {
    kind: 'deferred-event', isOutlier: false,
    query: `SELECT ${LIST_MARK} AS mark, toString(a.transport_id) AS key,
      a.client_id AS client_id, provider, map('name', toString(name)) AS sent
      FROM v_deferred_events AS e
      INNER JOIN v_deferred_answers AS a USING (provider, request_id)`,
  },
  {
    kind: 'delivery', isOutlier: false,
    query: `SELECT ${LIST_MARK} AS mark, concat(traceable_type, '|', traceable_id) AS key,
      client_id, provider,
      map('timestamp', toFloat64(toUnixTimestamp(ts)), 'latitude', latitude,
          'longitude', longitude) AS sent FROM v_delivery_locations`,
  },
];

/** Reads every row of the views of data over HTTP, as one who may read everything. */
export async function readClickhouse(stack: StackAddresses): Promise<readonly StoredRow[]> {
  const rows: StoredRow[] = [];
  for (const { kind, isOutlier, query } of VIEWS) {
    for (const row of await askTables(stack, query)) {
      rows.push({
        kind, isOutlier,
        mark: String(row['mark']), key: String(row['key']),
        client_id: String(row['client_id']), provider: String(row['provider']),
        content: row['sent'] as StoredRow['content'],
        record_id: typeof row['record_id'] === 'string' ? row['record_id'] : '',
      });
    }
  }
  return rows;
}

/** One statement with all rights; resolves with its rows, where they come as JSONEachRow. */
export async function askTables(stack: StackAddresses, query: string): Promise<readonly Row[]> {
  const url = new URL(stack.clickhouse_url);
  url.searchParams.set('database', stack.clickhouse_database);
  url.searchParams.set('query', query);
  url.searchParams.set('default_format', 'JSONEachRow');
  url.searchParams.set('output_format_json_quote_64bit_integers', '0');
  const { clickhouse_user: user, clickhouse_password: password } = stack;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
    signal: AbortSignal.timeout(QUERY_MS),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`ClickHouse answered ${answer.status}: ${text.slice(0, 500)}`);
  return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}
