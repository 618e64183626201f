import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import type { TlsTexts } from '../../kernel/tls.ts';
import type { ExportedRow, ExportQuestion, ViewExport } from '../../kernel/view-export.ts';
import { READ_SETTINGS } from './settings.ts';
import { tlsOf } from './tls.ts';
import {
  daysOf, fromOf, isText, orderOf, parametersOf, unformulated, type Column, type Piece,
} from './view-export-sql.ts';

/** Where the history is, and who reads it. */
export interface ViewExportConfig {
  readonly url: string;
  /** Who signs the store, and who we are, where the address says TLS. */
  readonly tls?: TlsTexts | undefined;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Longest wait for one answer of the store, in milliseconds. */
  readonly requestMsMax: number;
  /** About so many rows are asked for at once; the store refuses analysts more than a million. */
  readonly pieceRowsMax: number;
}

const IDLE_SOCKET_MS_MAX = 2_000;

/**
 * Opens the history for exports. The store checks each piece whole before it answers, so that no
 * refusal is in the middle of a file. A piece is a day or a part of one, except one for
 * Parquet, which cannot be put together from parts.
 */
export function openViewExport(config: ViewExportConfig): ViewExport & { close(): Promise<void> } {
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
    ...tlsOf(config),
  });
  return {
    textColumns: async (question) => (
      (await columnsOf(client, question)).filter(isText).map(({ name }) => name)
    ),

    async count(question) {
      const columns = await columnsOf(client, question);
      let rows = 0;
      for (const day of daysOf(question)) rows += await countOf(client, day, columns);
      return rows;
    },

    async* rows(question) {
      const columns = await columnsOf(client, question);
      for await (const piece of piecesOf(client, config, question, columns)) {
        yield* rowsOf(client, piece, columns);
      }
    },

    async* file(question, format) {
      const columns = await columnsOf(client, question);
      if (format === 'parquet') {
        yield* bytesOf(client, { question, part: 0, parts: 1 }, columns, 'Parquet');
        return;
      }
      let isFirst = true;
      for await (const piece of piecesOf(client, config, question, columns)) {
        yield* bytesOf(client, piece, columns, isFirst ? 'CSVWithNames' : 'CSV');
        isFirst = false;
      }
    },

    close: () => client.close(),
  };
}

/** The column names and types of a view, as the store reports them. */
async function columnsOf(
  client: ClickHouseClient, question: ExportQuestion,
): Promise<readonly Column[]> {
  const from = fromOf(
    { question: { ...question, only: new Map(), isPlaced: false }, part: 0, parts: 1 }, [],
  );
  return ask<Column>(client, question, `DESCRIBE (SELECT * ${from})`);
}

async function countOf(
  client: ClickHouseClient, question: ExportQuestion, columns: readonly Column[],
): Promise<number> {
  const from = fromOf({ question, part: 0, parts: 1 }, columns);
  const [row] = await ask<{ rows: string }>(client, question, `SELECT count() AS rows ${from}`);
  return Number(row?.rows ?? 0);
}

async function ask<Row>(
  client: ClickHouseClient, question: ExportQuestion, query: string,
): Promise<readonly Row[]> {
  return (await client.query({
    query, format: 'JSONEachRow', query_params: parametersOf(question),
    clickhouse_settings: READ_SETTINGS,
  })).json<Row>();
}

async function* piecesOf(
  client: ClickHouseClient, { pieceRowsMax }: ViewExportConfig, question: ExportQuestion,
  columns: readonly Column[],
): AsyncGenerator<Piece> {
  for (const day of daysOf(question)) {
    const parts = Math.max(Math.ceil(await countOf(client, day, columns) / pieceRowsMax), 1);
    for (let part = 0; part < parts; part += 1) yield { question: day, part, parts };
  }
}

async function* rowsOf(
  client: ClickHouseClient, piece: Piece, columns: readonly Column[],
): AsyncGenerator<ExportedRow> {
  const { question } = piece;
  const result = await client.query({
    query: `SELECT * ${fromOf(piece, columns)} ${orderOf(question)}`,
    format: 'JSONEachRow', query_params: parametersOf(question),
    clickhouse_settings: { ...READ_SETTINGS, date_time_output_format: 'iso' },
  });
  for await (const rows of result.stream<ExportedRow>()) {
    for (const row of rows) yield row.json();
  }
}

async function* bytesOf(
  client: ClickHouseClient, piece: Piece, columns: readonly Column[], format: string,
): AsyncGenerator<Uint8Array> {
  const { question } = piece;
  const what = format === 'Parquet' ? '*' : unformulated(columns);
  // Conditions are asked within, of columns as they are: outside they keep their names.
  const rows = `SELECT ${what} FROM (SELECT * ${fromOf(piece, columns)}) ${orderOf(question)}`;
  const { stream } = await client.exec({
    query: `${rows} FORMAT ${format}`,
    query_params: parametersOf(question),
    // An empty field is absent for pandas, DuckDB and spreadsheets; \N would make its column text.
    clickhouse_settings: { ...READ_SETTINGS, format_csv_null_representation: '' },
  });
  for await (const chunk of stream) yield chunk as Uint8Array;
}
