import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import type { TableWriterPorts } from '../../../services/workers/table-writer/config.ts';
import type { ConsumedRecord } from '../../../services/workers/common/outcomes.ts';
import { LEDGER_TABLE } from '../../../services/workers/table-writer/ledger.ts';
import { createTableWriter } from '../../../services/workers/table-writer/pipeline.ts';
import type { LogHandler, LogRecord } from '../../../services/kernel/record-log.ts';
import type { InsertAnswer, PendingInsert } from '../../../services/kernel/row-sink.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { fakeSignals } from '../../support/fake-signals.ts';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import type { ErasedDrivers } from '../../../services/kernel/erased-drivers.ts';
import type { ErasedUntil } from '../../../services/kernel/erased-tracks.ts';
import { createSkipErased } from '../../../services/workers/table-writer/skip-erased.ts';
import { memoryBreaker } from '../../support/memory-defects.ts';

/** Time of all fixtures, in ms. */
export const NOW_MS = 1_764_000_010_000;

/** The topic of the fixtures where nothing else is said, as its id. */
export const TOPIC_ID = 't1';

/** Makes a post, or a partition of the consumer, one of telemetry events. */
export const OF_EVENTS = { topic: 'rtt.telemetry-events.v1', topicId: 't2' };

/** A post in partition `partition` at `offset`, with one location. */
export function post(partition: number, offset: number, over: Partial<LogRecord> = {}): LogRecord {
  return {
    topic: 'rtt.locations.v1', topicId: TOPIC_ID, partition, offset: BigInt(offset),
    key: `device-${partition}`, schemaId: 1, timestampMs: NOW_MS - 3_000,
    value: Buffer.from(`{"device_id":"device-${partition}","at":${offset}}`),
    headers: {
      'received-at': String(NOW_MS - 2_000), client: '100000000000001', provider: 'acme',
      country: 'BR', n: '1',
    },
    ...over,
  };
}

/** The posts of one partition from `first` up to and including `last`. */
export function posts(partition: number, first: number, last: number): LogRecord[] {
  return Array.from({ length: last - first + 1 }, (_, i) => post(partition, first + i));
}

/** A record without a frame. */
export function unreadable(partition: number, offset: number): ConsumedRecord {
  const { topic, topicId, timestampMs, headers } = post(partition, offset);
  const at = { topic, topicId, partition, offset: BigInt(offset), timestampMs, headers };
  return { ...at, rawKey: undefined, rawValue: Buffer.from([1, 2]) };
}

/** One partition as the consumer names it. */
export function assignmentOf(...partitions: number[]) {
  return partitions.map((partition) => ({ topic: 'rtt.locations.v1', topicId: TOPIC_ID, partition }));
}

/** Where and what a line of an insert is. */
export function placeOf(line: Uint8Array): string {
  const { m } = JSON.parse(Buffer.from(line).toString()) as { m: { kp: number; ko: number } };
  return `${m.kp}:${m.ko}`;
}

/** Where and what a line of the ledger is, and how many items it counts. */
function entryOf(line: Uint8Array): string {
  const { partition, offset, kind, items } = JSON.parse(Buffer.from(line).toString()) as
    { partition: number; offset: number; kind: string; items: number };
  return `${partition}:${offset} ${kind} ${items}`;
}

function keyOf(line: Uint8Array): string {
  return (JSON.parse(Buffer.from(line).toString()) as { key: string }).key;
}

/** What outlives a worker: pending inserts and the store, which knows its tokens. */
export interface TableWriterEnv {
  readonly timeline: string[];
  readonly pending: Map<string, PendingInsert>;
  readonly tokens: Set<string>;
  /** Tables of the inserts, in order. */
  readonly tables: string[];
  /** How often each record became rows. */
  readonly rows: Map<string, number>;
  readonly deadLetters: string[];
  /** Rows of the ledger, `partition:offset kind items`, and `inserted <table>` behind them. */
  readonly ledger: string[];
  /** Keys of the records in it. */
  readonly ledgerKeys: string[];
  readonly counted: string[];
  /** Answers instead of the store when it returns something; may throw. */
  refuse: (
    places: readonly string[], token: string, lines: readonly Uint8Array[],
  ) => InsertAnswer | undefined;
  /** Up to when positions of devices are erased, as the log says now. */
  erased: () => ErasedUntil;
  erasedDrivers: ErasedDrivers;
  /** Called at every step by its name; throws to let the worker die there. */
  step: (name: string) => void;
  /** Ends of workers by a defect, by record. */
  readonly defects: Map<string, number>;
  nowMs: number;
}

/** An empty world. */
export function createTableWriterEnv(): TableWriterEnv {
  return {
    timeline: [], pending: new Map(), tokens: new Set(), tables: [],
    rows: new Map(), deadLetters: [], ledger: [], ledgerKeys: [], counted: [],
    refuse: () => undefined, erased: () => new Map(), erasedDrivers: new Map(),
    step: () => {}, defects: new Map(), nowMs: NOW_MS,
  };
}

/** A new worker in that world; `limits` override the defaults. */
export function startWorker(
  env: TableWriterEnv, limits: Partial<typeof TABLE_WRITER_LIMITS> = {},
): LogHandler {
  return createTableWriter({ ...TABLE_WRITER_LIMITS, ...limits }, portsOf(env));
}

/** What the store answers when it cannot be reached. */
export function unreachable(): Unavailable {
  return new Unavailable('sink_unavailable', 'insert', 'as the test asked');
}

const named = (insert: PendingInsert): string => (
  insert.ranges.map(({ partition, first, last }) => `${partition}:${first}-${last}`).join(',')
);

function portsOf(env: TableWriterEnv): TableWriterPorts {
  const addToTimeline = (what: string): void => { env.timeline.push(what); };
  return {
    clock: { nowMs: () => env.nowMs },
    breaker: memoryBreaker(env.defects),
    erased: createSkipErased({
      clock: { nowMs: () => env.nowMs }, digest: sha256,
      read: async () => ({
        tracks: { devices: env.erased(), transports: new Map([['77', NOW_MS]]) },
        drivers: env.erasedDrivers,
      }),
    }),
    signals: fakeSignals({
      metric: (name, value, labels, kind) => {
        if (kind !== 'counter') return;
        env.counted.push(`${name} ${value} ${JSON.stringify(labels)}`);
      },
    }),
    pending: {
      load: async (names) => new Map([...env.pending].filter(([name]) => names.includes(name))),
      async store(insert) {
        env.step('before store');
        for (const { partition } of insert.ranges) env.pending.set(partition, insert);
        addToTimeline(`stored ${named(insert)}`);
        env.step('after store');
      },
      async clear(insert) {
        env.step('before clear');
        for (const { partition } of insert.ranges) {
          const present = env.pending.get(partition);
          if (present !== undefined && named(present) === named(insert)) {
            env.pending.delete(partition);
          }
        }
        addToTimeline(`cleared ${named(insert)}`);
      },
    },
    sink: {
      async insert(table, lines, token) {
        if (table === LEDGER_TABLE) {
          env.step('before ledger');
          env.ledger.push(...lines.map(entryOf));
          env.ledgerKeys.push(...lines.map(keyOf));
          return { kind: 'stored' };
        }
        env.step('before insert');
        const places = lines.map(placeOf);
        const answer = env.refuse(places, token, lines);
        if (answer !== undefined) {
          addToTimeline(`refused ${token}`);
          return answer;
        }
        addToTimeline(`inserted ${token}`);
        env.tables.push(table);
        env.ledger.push(`inserted ${table}`);
        // A store knows a token per table.
        const known = `${table} ${token}`;
        if (!env.tokens.has(known)) {
          for (const place of places) env.rows.set(place, (env.rows.get(place) ?? 0) + 1);
        }
        env.tokens.add(known);
        env.step('after insert');
        return { kind: 'stored' };
      },
    },
    deadLetters: {
      async write(record, stage, code) {
        env.deadLetters.push(`${record.partition}:${record.offset} ${stage} ${code}`);
        addToTimeline(`dead-lettered ${record.partition}:${record.offset}`);
      },
    },
  };
}
