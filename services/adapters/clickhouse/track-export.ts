import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import type { TrackExport, TrackFix, TrackWindow } from '../../kernel/track-export.ts';
import { READ_SETTINGS } from './settings.ts';

/** Where the history is, and who reads it. */
export interface TrackExportConfig {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Longest wait for one answer of the store, in milliseconds. */
  readonly requestMsMax: number;
}

const DAY_S = 86_400;
const IDLE_SOCKET_MS_MAX = 2_000;
const WINDOW = `device_id IN ({devices:Array(String)})
  AND ts >= toDateTime({fromS:UInt32}, 'UTC') AND ts < toDateTime({toS:UInt32}, 'UTC')`;
const COUNT = `SELECT count() AS fixes FROM v_locations WHERE ${WINDOW}`;
const FIXES = `
SELECT device_id, formatDateTime(ts, '%Y-%m-%dT%H:%i:%SZ') AS ts, latitude, longitude, altitude,
       speed, bearing, ignition, odometer, provider
FROM v_locations
WHERE ${WINDOW.replaceAll('ts ', 'v_locations.ts ')} AND (latitude != 0 OR longitude != 0)
ORDER BY v_locations.ts, latitude, longitude`;
const ROWS = `SELECT * FROM v_locations WHERE ${WINDOW} ORDER BY device_id, ts, latitude, longitude`;

/**
 * Opens the history for exports. The store judges each question whole before it answers, so that a
 * refusal never stands in the middle of a file; a question covers a day, except one for Parquet,
 * which cannot be put together from parts.
 */
export function openTrackExport(
  config: TrackExportConfig,
): TrackExport & { close(): Promise<void> } {
  const client = createClient({
    url: config.url,
    username: config.user,
    password: config.password,
    database: config.database,
    application: 'rastro-export',
    request_timeout: config.requestMsMax,
    max_open_connections: 1,
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS_MAX },
    compression: { request: false, response: false },
    log: { level: ClickHouseLogLevel.OFF },
  });
  return {
    async count(window) {
      const [row] = await (await client.query({
        query: COUNT, format: 'JSONEachRow', query_params: { ...window },
        clickhouse_settings: READ_SETTINGS,
      })).json<{ fixes: string }>();
      return Number(row?.fixes ?? 0);
    },

    async* fixes(window) {
      for (const device of window.devices) {
        for (const day of daysOf({ ...window, devices: [device] })) yield* fixesOf(client, day);
      }
    },

    async* file(window, format) {
      if (format === 'parquet') {
        yield* bytesOf(client, window, 'Parquet');
        return;
      }
      let isFirst = true;
      for (const day of daysOf(window)) {
        yield* bytesOf(client, day, isFirst ? 'CSVWithNames' : 'CSV');
        isFirst = false;
      }
    },

    close: () => client.close(),
  };
}

function* daysOf(window: TrackWindow): Generator<TrackWindow> {
  let { fromS } = window;
  while (fromS < window.toS) {
    const toS = Math.min((Math.floor(fromS / DAY_S) + 1) * DAY_S, window.toS);
    yield { ...window, fromS, toS };
    fromS = toS;
  }
}

async function* fixesOf(client: ClickHouseClient, window: TrackWindow): AsyncGenerator<TrackFix> {
  const result = await client.query({
    query: FIXES, format: 'JSONEachRow', query_params: { ...window },
    clickhouse_settings: READ_SETTINGS,
  });
  for await (const rows of result.stream<TrackFix>()) {
    for (const row of rows) yield row.json();
  }
}

async function* bytesOf(
  client: ClickHouseClient, window: TrackWindow, format: string,
): AsyncGenerator<Uint8Array> {
  const { stream } = await client.exec({
    query: `${ROWS} FORMAT ${format}`, query_params: { ...window },
    clickhouse_settings: READ_SETTINGS,
  });
  for await (const chunk of stream) yield chunk as Uint8Array;
}
