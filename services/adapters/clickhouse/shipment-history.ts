import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { TlsTexts } from '../../kernel/tls.ts';
import type { SealedPersonal } from '../../kernel/personal.ts';
import type { HistoryOf, HistoryPage, ShipmentHistory } from '../../kernel/shipment-history.ts';
import type { ImageReference, NotificationRecordId } from '../../kernel/shipments.ts';
import {
  BODIES, JOURNEY, journeyOf, RECORD_IDS, recordIdOf,
  type BodyRow, type JourneyRow, type RecordIdRow,
} from './history-rows.ts';
import { READ_SETTINGS } from './settings.ts';
import { tlsOf } from './tls.ts';

/** Where the history is, who asks, and how much one question may cost. */
export interface ShipmentHistoryConfig {
  /** Undefined where there is none: every call is a fault. */
  readonly url: string | undefined;
  /** Who signs the store, and who we are, where the address says TLS. */
  readonly tls?: TlsTexts | undefined;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Longest wait for one answer of the store, in milliseconds. */
  readonly requestMsMax: number;
  readonly connectionsMax: number;
  /** Most entries of one page, however many are asked for. */
  readonly pageEntriesMax: number;
  /** Most bytes of the texts of one page; one text alone may be larger. */
  readonly pageBytesMax: number;
  /** Most rows that one question may touch. */
  readonly readRowsMax: number;
  /** Most memory that the store may use for one question, in bytes. */
  readonly memoryBytesMax: number;
}

/** Sensible limits; addresses and secrets always come from the caller. */
export const SHIPMENT_HISTORY_LIMITS = {
  requestMsMax: 5_000,
  connectionsMax: 8,
  pageEntriesMax: 1_000,
  pageBytesMax: 8_388_608,
  readRowsMax: 20_000_000,
  memoryBytesMax: 500_000_000,
} as const;

/** An open history. */
export interface OpenShipmentHistory extends ShipmentHistory {
  close(): Promise<void>;
}

type Ask = <Row>(sql: string, parameters: Readonly<Record<string, unknown>>) => Promise<Row[]>;

// Below the ten seconds after which the local stack's server closes an idle connection.
const IDLE_SOCKET_MS_MAX = 2_000;

/**
 * Opens the history of shipments in ClickHouse, as a user who may read nothing else. Nothing is
 * sent before the first call, so this never fails.
 */
export function openShipmentHistory(config: ShipmentHistoryConfig): OpenShipmentHistory {
  const { url } = config;
  if (url === undefined) return NO_HISTORY;
  const client = createClient({
    url,
    username: config.user,
    password: config.password,
    database: config.database,
    application: 'rastro-history',
    request_timeout: config.requestMsMax,
    max_open_connections: config.connectionsMax,
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS_MAX },
    compression: { request: false, response: false },
    log: { level: ClickHouseLogLevel.OFF },
    ...tlsOf(config),
  });
  const ask = askWith(client, config);
  const from = (
    { tracking_number, carrier }: HistoryOf, after: NotificationRecordId | undefined, limit: number,
  ): Readonly<Record<string, unknown>> => ({
    tracking_number,
    carrier,
    topic_id: after?.topic_id ?? '',
    partition: after?.partition ?? 0,
    offset: after?.offset ?? 0,
    // One more than the page shows whether another follows.
    limit: limit + 1,
  });
  const entriesOf = (limit: number): number => Math.min(limit, config.pageEntriesMax);
  return {
    async notifications(of, after, limit) {
      const entries = entriesOf(limit);
      const recordIds = await ask<RecordIdRow>(RECORD_IDS, from(of, after, entries));
      const shown = pageOf(recordIds, entries, config.pageBytesMax);
      const first = shown[0];
      const last = shown.at(-1);
      if (first === undefined || last === undefined) return { entries: [], next: undefined };
      const { topic_id, partition } = first;
      const rows = await ask<BodyRow>(BODIES, {
        tracking_number: of.tracking_number, topic_id, partition,
        first: first.offset, last: last.offset,
      });
      return {
        entries: rows.map((row) => ({
          recordId: recordIdOf(row),
          text: row.body,
          ...(row.personal === ''
            ? {}
            : { personal: JSON.parse(row.personal) as SealedPersonal }),
          image: row.image === '' ? undefined : JSON.parse(row.image) as ImageReference,
          received_at_ms: Number(row.received_at_ms),
        })),
        next: shown.length < recordIds.length ? recordIdOf(last) : undefined,
      };
    },
    async journey(of, after, limit) {
      const entries = entriesOf(limit);
      const rows = await ask<JourneyRow>(JOURNEY, from(of, after, entries));
      return cut(rows.map(journeyOf), entries);
    },
    close: () => client.close(),
  };
}

async function refuse(): Promise<never> {
  throw new Unavailable('sink_unavailable', 'receive', 'no analytical store is configured');
}

const NO_HISTORY: OpenShipmentHistory = {
  notifications: refuse, journey: refuse, close: async () => undefined,
};

function cut<Entry extends { readonly notification: NotificationRecordId }>(
  rows: readonly Entry[], limit: number,
): HistoryPage<Entry> {
  const entries = rows.slice(0, limit);
  const next = rows.length > limit ? entries.at(-1)?.notification : undefined;
  return { entries, next };
}

/**
 * The record ids of one page: of one partition, so that the store reads texts as one range of the
 * table, and few enough bytes together for the memory of a page.
 */
function pageOf(
  recordIds: readonly RecordIdRow[], entriesMax: number, bytesMax: number,
): readonly RecordIdRow[] {
  const [first] = recordIds;
  let bytes = 0;
  const end = recordIds.findIndex((recordId, index) => {
    bytes += recordId.body_bytes;
    return index > 0 && (index === entriesMax || bytes > bytesMax
      || recordId.topic_id !== first?.topic_id || recordId.partition !== first.partition);
  });
  return end === -1 ? recordIds : recordIds.slice(0, end);
}

/** Every refusal is a fault: what is asked is fixed, so the store or its rights are amiss. */
function askWith(client: ClickHouseClient, config: ShipmentHistoryConfig): Ask {
  const settings = {
    ...READ_SETTINGS,
    max_execution_time: config.requestMsMax / 1_000,
    max_memory_usage: String(config.memoryBytesMax),
    max_rows_to_read: String(config.readRowsMax),
    max_result_rows: String(config.pageEntriesMax + 1),
  };
  return async <Row>(sql: string, parameters: Readonly<Record<string, unknown>>) => {
    try {
      const result = await client.query({
        query: sql, format: 'JSONEachRow', query_params: { ...parameters },
        clickhouse_settings: settings,
      });
      return await result.json<Row>();
    } catch (error) {
      throw new Unavailable('sink_unavailable', 'receive', 'the history does not answer', error);
    }
  };
}
