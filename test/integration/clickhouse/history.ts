import { randomBytes } from 'node:crypto';
import { CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse }
  from '../../../services/adapters/clickhouse/clickhouse.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import type { PendingInsert, RowSink } from '../../../services/kernel/row-sink.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { createTableWriter } from '../../../services/workers/table-writer/pipeline.ts';
import { copyDatabase } from '../../support/copy-database.ts';
import { stackEnv } from '../../support/stack.ts';
import { nothingErased } from '../../support/nothing-erased.ts';
import { memoryBreaker } from '../../support/memory-defects.ts';


/** A database of its own, as its three users see it. */
export interface History {
  readonly database: string;
  readonly admin: ClickHouse;
  readonly ingest: ClickHouse;
  readonly analyst: ClickHouse;
  /** Throws the database away and closes everything. */
  drop(): Promise<void>;
}

/** A name for a database that no other test has. */
export function freshDatabase(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

/** Opens a database as one of the stack's users. */
export function openAs(user: 'admin' | 'ingest' | 'analyst', database: string): ClickHouse {
  const env = stackEnv();
  const [name, password] = {
    admin: [env.CLICKHOUSE_USER, env.CLICKHOUSE_PASSWORD],
    ingest: [env.CLICKHOUSE_INGEST_USER, env.CLICKHOUSE_INGEST_PASSWORD],
    analyst: [env.ANALYST_USER, env.ANALYST_PASSWORD],
  }[user] as [string, string];
  return openClickHouse(
    { ...CLICKHOUSE_LIMITS, url: env.CLICKHOUSE_URL, user: name, password, database },
    { signals: silentSignals },
  );
}

/**
 * A migrated database. Unless it is as in production, it keeps its rows for good, so that tests may
 * write of fixed days, and computes days and balances only when it is asked to.
 */
export async function createHistory({ asInProduction = false } = {}): Promise<History> {
  const env = stackEnv();
  const database = freshDatabase();
  const server = openAs('admin', 'default');
  const admin = openAs('admin', database);
  await copyDatabase(server, admin, {
    url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_USER, password: env.CLICKHOUSE_PASSWORD, database,
  }, { computes: asInProduction, keeps: !asInProduction });
  await server.close();
  const ingest = openAs('ingest', database);
  const analyst = openAs('analyst', database);
  return {
    database, admin, ingest, analyst,
    async drop() {
      await admin.execute(`DROP DATABASE ${database}`);
      await Promise.all([admin, ingest, analyst].map((store) => store.close()));
    },
  };
}

/** Holds merges of tables, for tests that count what is stored before twins become one. */
export async function holdMerges(
  { admin, database }: History, tables: readonly string[],
): Promise<void> {
  for (const table of tables) await admin.execute(`SYSTEM STOP MERGES ${database}.${table}`);
}

/** What stands around the locations of a post. */
export interface PostFacts {
  readonly device: string;
  readonly receivedAtMs: number;
  readonly offset: number;
  readonly postTimestamp: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Further keys of the body. */
  readonly body: object;
}

let nextOffset = 1;

/** A post as the log has it. */
export function post(locations: readonly object[], facts: Partial<PostFacts> = {}): LogRecord {
  const receivedAtMs = facts.receivedAtMs ?? Date.now();
  const offset = facts.offset ?? nextOffset;
  nextOffset += 1;
  const body = {
    device_id: facts.device ?? 'device-1',
    post_timestamp: facts.postTimestamp ?? Math.floor(receivedAtMs / 1000) - 1,
    ...facts.body,
    locations,
  };
  return {
    topic: 'rtt.locations.v1', topicId: 't1', partition: 3, offset: BigInt(offset),
    key: facts.device ?? 'device-1', schemaId: 1, timestampMs: receivedAtMs,
    value: Buffer.from(JSON.stringify(body)),
    headers: {
      'received-at': String(receivedAtMs), client: '100000000000001', provider: 'acme',
      country: 'BR', n: String(locations.length), ...facts.headers,
    },
  };
}

/** Any other call as the log of `topic` has it, with what was admitted in its headers. */
export function record(
  topic: string, key: string, body: object, facts: Partial<PostFacts> = {},
): LogRecord {
  const receivedAtMs = facts.receivedAtMs ?? Date.now();
  const offset = facts.offset ?? nextOffset;
  nextOffset += 1;
  return {
    topic, topicId: topic, partition: 3, offset: BigInt(offset), key, schemaId: 1,
    timestampMs: receivedAtMs, value: Buffer.from(JSON.stringify(body)),
    headers: {
      'received-at': String(receivedAtMs), client: '100000000000001', provider: 'acme',
      country: 'BR', n: '1', ...facts.headers,
    },
  };
}

/** Dead letters that the worker of {@link writePosts} wrote. */
export interface DeadLetterRow {
  readonly offset: number;
  readonly code: string;
  readonly detail: string;
}

/** Lets a table writer write the records and returns its dead letters. */
export async function writePosts(
  sink: RowSink, records: readonly LogRecord[],
): Promise<readonly DeadLetterRow[]> {
  const deadLetters: DeadLetterRow[] = [];
  const pending = new Map<string, PendingInsert>();
  const worker = createTableWriter(TABLE_WRITER_LIMITS, {
    sink, signals: silentSignals, clock: { nowMs: () => Date.now() },
    pending: {
      load: async () => pending,
      store: async (insert) => {
        for (const { partition } of insert.ranges) pending.set(partition, insert);
      },
      clear: async () => pending.clear(),
    },
    erased: nothingErased, breaker: memoryBreaker(), deadLetters: {
      async write({ offset }, _stage, code, detail) {
        deadLetters.push({ offset: Number(offset), code, detail });
      },
    },
  });
  const partitions = new Map(records.map(({ topic, topicId }) => [topic, topicId]));
  await worker.onAssigned([...partitions].map(([topic, topicId]) => (
    { topic, topicId, partition: 3 }
  )));
  await worker.onRecords(records);
  return deadLetters;
}
