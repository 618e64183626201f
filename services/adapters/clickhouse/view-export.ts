import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import type { TlsTexts } from '../../kernel/tls.ts';
import type {
  ExportedColumn, ExportedRow, ExportQuestion, ExportSlice, SliceBytes, SliceForm, ViewExport,
} from '../../kernel/view-export.ts';
import { READ_SETTINGS } from './settings.ts';
import { tlsOf } from './tls.ts';
import { daysOf, fromOf, parametersOf, rangesOf, statementOf } from './view-export-sql.ts';

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
  readonly sliceRowsMax: number;
}

const IDLE_SOCKET_MS_MAX = 2_000;
/** What is at the address refuses without a text, as ClickHouse never does. */
const NO_TEXT = 'No ClickHouse answers at CLICKHOUSE_URL: the answer is a refusal without a text.';
const FORMATS: Readonly<Record<SliceForm, string>> = {
  'csv': 'CSVWithNames', 'csv-rows': 'CSV', 'parquet': 'Parquet', 'geoparquet': 'Parquet',
};
const FILE_SETTINGS = {
  ...READ_SETTINGS,
  // An empty field is absent for pandas, DuckDB and spreadsheets; \N would make its column text.
  format_csv_null_representation: '',
  // With its zone, so that no reader takes a time for a local one.
  date_time_output_format: 'iso' as const,
};

/**
 * Opens the history for exports. The store checks each slice whole before it answers, so that no
 * refusal is in the middle of a file.
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
  const described = new Map<string, Promise<readonly ExportedColumn[]>>();
  const columnsOf = (question: ExportQuestion): Promise<readonly ExportedColumn[]> => {
    const { name } = question.view;
    const columns = described.get(name) ?? describe(client, question);
    described.set(name, columns);
    return columns;
  };
  return {
    columns: columnsOf,

    async slices(question, isByProvider) {
      const columns = await columnsOf(question);
      const slices: ExportSlice[] = [];
      for (const day of daysOf(question)) {
        const sql = rangesOf(day, columns, isByProvider, config.sliceRowsMax);
        const ranges = await ask<Range>(client, day, sql);
        slices.push(...ranges.map((range, n) => sliceOf(day, range, n, ranges, isByProvider)));
      }
      return slices;
    },

    async mark(question, expression) {
      const from = fromOf(question, {}, await columnsOf(question));
      const [row] = await ask<{ rows: string; mark: string }>(client, question,
        `SELECT count() AS rows, concat(toString(rows), ' ', toString(${expression})) AS mark ${from}`);
      return { rows: Number(row?.rows ?? 0), mark: row?.mark ?? '' };
    },

    async days(question) {
      const from = fromOf(question, {}, await columnsOf(question));
      const rows = await ask<{ found: string }>(client, question,
        `SELECT DISTINCT toString(toDate(${question.view.time ?? ''})) AS found ${from}`);
      return new Set(rows.map(({ found }) => found));
    },

    async* rows(question, slice) {
      const columns = await columnsOf(question);
      const { asked, parameters } = askedFor(question, slice);
      const result = await client.query({
        query: statementOf(asked, slice, columns, 'json'), format: 'JSONEachRow',
        query_params: parameters,
        clickhouse_settings: { ...READ_SETTINGS, date_time_output_format: 'iso' },
      });
      for await (const rows of result.stream<ExportedRow>()) {
        for (const row of rows) yield row.json();
      }
    },

    async bytes(question, slice, form) {
      const columns = await columnsOf(question);
      return bytesOf(client, askedFor(question, slice), form, columns, slice);
    },

    close: () => client.close(),
  };
}

interface Range {
  readonly provider: string;
  readonly first: string;
  readonly rows: string;
}

/** Ranges of a provider follow each other without a gap, so that a key that comes later has one. */
function sliceOf(
  { window }: ExportQuestion, { provider, first, rows }: Range, n: number,
  ranges: readonly Range[], isByProvider: boolean,
): ExportSlice {
  const [before, after] = [ranges[n - 1], ranges[n + 1]];
  return {
    ...(window === undefined ? {} : { window }),
    ...(isByProvider ? { provider } : {}),
    ...(before?.provider === provider ? { keyFrom: first } : {}),
    ...(after?.provider === provider ? { keyTo: after.first } : {}),
    rows: Number(rows),
  };
}

interface Asked {
  readonly asked: ExportQuestion;
  readonly parameters: Record<string, unknown>;
}

function askedFor(question: ExportQuestion, slice: ExportSlice): Asked {
  const { window } = slice;
  const asked = window === undefined ? question : { ...question, window };
  return { asked, parameters: parametersOf(asked, slice) };
}

/** The column names and types of a view, as the store reports them. */
async function describe(
  client: ClickHouseClient, question: ExportQuestion,
): Promise<readonly ExportedColumn[]> {
  const { window, view } = question;
  const from = fromOf({ view, only: new Map(), isPlaced: false }, {}, []);
  const unbound = { view, only: new Map(), isPlaced: false, ...(window && { window }) };
  return ask<ExportedColumn>(client, unbound, `DESCRIBE (SELECT * ${from})`);
}

async function ask<Row>(
  client: ClickHouseClient, question: ExportQuestion, query: string,
): Promise<readonly Row[]> {
  const result = await client.query({
    query, format: 'JSONEachRow', query_params: parametersOf(question),
    clickhouse_settings: READ_SETTINGS,
  }).catch((error: unknown) => {
    throw error instanceof Error && error.message === '' ? new Error(NO_TEXT, { cause: error }) : error;
  });
  return result.json<Row>();
}

async function bytesOf(
  client: ClickHouseClient, { asked, parameters }: Asked, form: SliceForm,
  columns: readonly ExportedColumn[], slice: ExportSlice,
): Promise<SliceBytes> {
  const sql = statementOf(asked, slice, columns, form);
  const { stream, summary } = await client.exec({
    query: `${sql} FORMAT ${FORMATS[form]}`, query_params: parameters,
    clickhouse_settings: FILE_SETTINGS,
  });
  return {
    rows: Number(summary?.result_rows), chunks: stream as AsyncIterable<Uint8Array>,
    sql, parameters,
  };
}
