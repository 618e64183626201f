import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { InsertAnswer } from '../../kernel/row-sink.ts';
import type { Signals } from '../../kernel/signals.ts';
import { passStep } from '../signals/steps.ts';
import { blamedLine, dataFault } from './answers.ts';
import { INSERT_SETTINGS } from './settings.ts';

/** One insert: JSON objects, each on a line of its own without the line break, and its token. */
export interface LineInsert {
  readonly table: string;
  readonly lines: readonly Uint8Array[];
  readonly token: string;
}

const CHUNK_BYTES = 262_144;
const LINE_BREAK = Buffer.from('\n');
const TABLE_NAME = /^[a-z][a-z0-9_]*$/;

/**
 * Sends the bytes as they are (JSONEachRow) and waits until every table behind the landing table
 * has them. A cut connection stores nothing or everything; the same token decides which.
 */
export async function insertLines(
  client: ClickHouseClient,
  signals: Signals,
  insert: LineInsert,
): Promise<InsertAnswer> {
  const { table, lines, token } = insert;
  if (!TABLE_NAME.test(table)) throw new Error(`not a table name: ${table}`);
  if (lines.length === 0) return { kind: 'stored' };
  try {
    passStep('clickhouse.before', table);
    const answer = await client.exec({
      query: `INSERT INTO ${table} FORMAT JSONEachRow`,
      values: Readable.from(chunksOf(lines), { objectMode: false }),
      clickhouse_settings: { ...INSERT_SETTINGS, insert_deduplication_token: token },
    });
    answer.stream.resume();
    await finished(answer.stream);
    passStep('clickhouse.after', table);
    signals.rowsInserted({ table, records: lines.length, bytes: bytesOf(lines) });
    return { kind: 'stored' };
  } catch (error) {
    return answerOf(error, lines.length, signals);
  }
}

/** A refusal of the data is an answer; everything else is a fault that may pass. */
function answerOf(error: unknown, lines: number, signals: Signals): InsertAnswer {
  if (!(error instanceof ClickHouseError)) {
    signals.sinkFailed({ code: 'connection' });
    throw new Unavailable('sink_unavailable', 'insert', 'the store could not be reached', error);
  }
  const name = dataFault(Number(error.code));
  if (name === undefined) {
    signals.sinkFailed({ code: error.code });
    throw new Unavailable('sink_unavailable', 'insert', `the store answered code ${error.code}`, error);
  }
  // The message quotes the data, so only the code travels on.
  const detail = `ClickHouse ${error.code} ${name}`;
  return { kind: 'rejected', line: blamedLine(error.message, lines), detail };
}

function bytesOf(lines: readonly Uint8Array[]): number {
  return lines.reduce((bytes, line) => bytes + line.byteLength + LINE_BREAK.length, 0);
}

/** A long line is not copied once more. */
function* slicesOf({ buffer, byteOffset, byteLength }: Uint8Array): Generator<Buffer> {
  for (let from = 0; from < byteLength; from += CHUNK_BYTES) {
    const length = Math.min(CHUNK_BYTES, byteLength - from);
    yield Buffer.from(buffer, byteOffset + from, length);
  }
}

function* chunksOf(lines: readonly Uint8Array[]): Generator<Buffer> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for (const line of lines) {
    if (line.byteLength > CHUNK_BYTES) {
      yield Buffer.concat(parts, bytes);
      [parts, bytes] = [[LINE_BREAK], LINE_BREAK.length];
      yield* slicesOf(line);
      continue;
    }
    parts.push(line, LINE_BREAK);
    bytes += line.byteLength + 1;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(parts, bytes);
    parts = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(parts, bytes);
}
