import {
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
} from '@clickhouse/client';
import { Unavailable, type Stage } from '../../kernel/unavailable.ts';
import type { RowSink } from '../../kernel/row-sink.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { TlsTexts } from '../../kernel/tls.ts';
import { isStatementFault } from './answers.ts';
import { insertLines } from './insert.ts';
import { READ_SETTINGS } from './settings.ts';
import { tlsOf } from './tls.ts';

/** Where the store is, who asks, and how much may be asked of it. */
export interface ClickHouseConfig {
  readonly url: string;
  /** Who signs the store, and who we are, where the address says TLS. */
  readonly tls?: TlsTexts | undefined;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Longest wait for one answer, in milliseconds. */
  readonly requestMsMax: number;
  readonly connectionsMax: number;
  /** Most rows that {@link ClickHouse.query} takes; more is an error, never a silent cut. */
  readonly resultRowsMax: number;
}

/** What the adapter reports to. */
export interface ClickHousePorts {
  readonly signals: Signals;
}

/** One row of an answer. Integers of 64 bits come as decimal text, so that none is rounded. */
export type ResultRow = Readonly<Record<string, unknown>>;

/** An open store: the sink for rows, and reading for ledgers, migrations and tests. */
export interface ClickHouse extends RowSink {
  query(sql: string, parameters?: Readonly<Record<string, unknown>>): Promise<ResultRow[]>;
  /** Runs one statement that answers no rows. */
  execute(
    statement: string, parameters?: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** True when the store answers at all. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/** Sensible limits; addresses and secrets always come from the caller. */
export const CLICKHOUSE_LIMITS = {
  requestMsMax: 120_000,
  connectionsMax: 4,
  resultRowsMax: 1_000_000,
} as const;

// Below the ten seconds after which the local stack's server closes an idle connection.
const IDLE_SOCKET_MS_MAX = 2_000;

/** Opens the store. Nothing is sent before the first call, so this never fails. */
export function openClickHouse(config: ClickHouseConfig, ports: ClickHousePorts): ClickHouse {
  const client = createClient({
    url: config.url,
    username: config.user,
    password: config.password,
    database: config.database,
    application: 'rastro',
    request_timeout: config.requestMsMax,
    max_open_connections: config.connectionsMax,
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS_MAX },
    compression: { request: false, response: false },
    log: { level: ClickHouseLogLevel.OFF },
    ...tlsOf(config),
  });
  return {
    insert: (table, lines, token) => insertLines(client, ports.signals, { table, lines, token }),
    query: (sql, parameters = {}) =>
      translated('receive', () => readRows(client, sql, parameters, config.resultRowsMax)),
    async execute(statement, parameters = {}) {
      await translated('apply', () => client.command({
        query: statement, query_params: { ...parameters },
      }));
    },
    ping: async () => (await client.ping()).success,
    close: () => client.close(),
  };
}

async function readRows(
  client: ClickHouseClient,
  sql: string,
  parameters: Readonly<Record<string, unknown>>,
  resultRowsMax: number,
): Promise<ResultRow[]> {
  const result = await client.query({
    query: sql,
    format: 'JSONEachRow',
    query_params: { ...parameters },
    clickhouse_settings: { ...READ_SETTINGS, max_result_rows: String(resultRowsMax) },
  });
  return result.json<ResultRow>();
}

/**
 * A statement that is wrong is a defect of its author and crashes. Whatever else the store answers,
 * or its silence, is a fault that may pass.
 */
async function translated<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ClickHouseError)) {
      throw new Unavailable('sink_unavailable', stage, `the store could not be reached: ${(error as Error).message}`, error);
    }
    if (isStatementFault(Number(error.code))) throw error;
    const reason = `the store answered code ${error.code} ${error.type ?? ''}`.trimEnd();
    throw new Unavailable('sink_unavailable', stage, reason, error);
  }
}
