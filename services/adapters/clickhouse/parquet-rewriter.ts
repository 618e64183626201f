import { request as requestByHttp, type IncomingMessage } from 'node:http';
import { request as requestByTls } from 'node:https';
import { text } from 'node:stream/consumers';
import type { ParquetRewriter } from '../../kernel/archive.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { ExportedColumn } from '../../kernel/view-export.ts';
import type { ViewExportConfig } from './view-export.ts';

const BOUNDARY = '----rastro-parquet-0f6c1d';
const GIVEN = 'given';

type Asker = Pick<ViewExportConfig, 'url' | 'tls' | 'user' | 'password' | 'database' | 'requestMsMax'>;

/**
 * Has the store read a Parquet file that is sent along as a table of the query, as analysts may:
 * no library for its compressions is needed, and types stay as they are.
 */
export function createParquetRewriter(config: Asker): ParquetRewriter {
  return {
    async without(file, columns, condition, parameters) {
      const answer = await send(config, file, columns, parameters,
        `SELECT * FROM ${GIVEN} WHERE NOT (${condition}) FORMAT Parquet`);
      const chunks: Buffer[] = [];
      for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
      const { result_rows: rows } = JSON.parse(
        String(answer.headers['x-clickhouse-summary'] ?? '{}'),
      ) as { readonly result_rows?: string };
      return { file: Buffer.concat(chunks), rows: Number(rows) };
    },

    async ask<Row>(
      file: Buffer, columns: readonly ExportedColumn[], query: string,
      parameters: Readonly<Record<string, string>>,
    ) {
      const answer = await send(config, file, columns, parameters, `${query} FORMAT JSONEachRow`);
      return (await text(answer)).split('\n').filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row);
    },
  };
}

async function send(
  { url, tls, user, password, database, requestMsMax }: Asker, file: Buffer,
  columns: readonly ExportedColumn[], parameters: Readonly<Record<string, string>>, query: string,
): Promise<IncomingMessage> {
  const asked = new URL(url);
  const structure = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
  asked.search = new URLSearchParams({
    database, query, wait_end_of_query: '1', [`${GIVEN}_format`]: 'Parquet',
    [`${GIVEN}_structure`]: structure,
    ...Object.fromEntries(Object.entries(parameters).map(([name, value]) => [`param_${name}`, value])),
  }).toString();
  const body = Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${GIVEN}"; filename="f"\r\n`
      + 'Content-Type: application/octet-stream\r\n\r\n'),
    file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const ask = asked.protocol === 'https:' ? requestByTls : requestByHttp;
    const call = ask(asked, {
      method: 'POST', ...tls, timeout: requestMsMax,
      headers: {
        'X-ClickHouse-User': user, 'X-ClickHouse-Key': password, 'Content-Length': body.length,
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      },
    }, resolve);
    call.on('error', reject);
    call.on('timeout', () => call.destroy(new Error('no answer in time')));
    call.end(body);
  }).catch((error: unknown) => {
    throw unavailable((error as Error).message, error);
  });
  if (answer.statusCode === 200) return answer;
  throw unavailable(`answered ${String(answer.statusCode)} to a rewrite: ${(await text(answer)).slice(0, 300)}`);
}

function unavailable(what: string, cause?: unknown): Unavailable {
  return new Unavailable('sink_unavailable', 'apply', `the store ${what}`, cause);
}
