import { setTimeout as delay } from 'node:timers/promises';
import { TABLE_WRITER_LIMITS } from '../../services/workers/table-writer/config.ts';
import { askTables } from '../faults/checker/collect/clickhouse.ts';
import type { TestCluster } from '../faults/cluster/cluster.ts';

/** How long the way into the tables stood still at most, in milliseconds. */
export interface Stops {
  /** Between two inserts of whichever writer into whichever table. */
  readonly inserts: number;
  /** Between two commits of one partition that had something to commit all the time. */
  readonly partition: number;
  /** The slowest reading: no figure is finer than that. */
  readonly reading: number;
}

/** The longer stops of two, each of its kind. */
export function longer(a: Stops, b: Stops): Stops {
  return {
    inserts: Math.max(a.inserts, b.inserts), partition: Math.max(a.partition, b.partition),
    reading: Math.max(a.reading, b.reading),
  };
}

/** Watches the flow into the tables all the time. */
export interface FlowWatch {
  /** Forgets what was; what stands still now counts from now on. */
  begin(): void;
  /** The longest stops since `begin`, those that still last too. */
  read(): Stops;
  end(): Promise<void>;
}

/** What a reading saw: how many rows were ever inserted, and how far each partition is read. */
export interface FlowReading {
  readonly atMs: number;
  readonly tookMs: number;
  readonly stored: number;
  /** By `topic:partition`; only what has records that are not committed. */
  readonly behind: ReadonlyMap<string, bigint>;
}

/** The group of those who write the tables. */
export const WRITERS_GROUP = 'rastro.table-writer';
const TOPICS = Object.keys(TABLE_WRITER_LIMITS.tables);
/** A reading costs the machine that it watches; more of them would cause stops. */
const PAUSE_MS = 100;

/** Watches a cluster from outside: the tables by a query, the log by what its group committed. */
export function watchFlow(cluster: TestCluster): FlowWatch {
  const over = new AbortController();
  const stops = createStops();

  async function reading(): Promise<FlowReading> {
    const atMs = performance.now();
    const ranges = await cluster.kafka.admin.ranges(TOPICS);
    const committed = await cluster.kafka.admin.committed(WRITERS_GROUP, TOPICS);
    const behind = new Map<string, bigint>();
    for (const { topic, partition, start, end } of ranges) {
      const place = `${topic}:${partition}`;
      const next = committed.get(place) ?? start;
      if (next < end) behind.set(place, next);
    }
    const stored = await countInserted(cluster);
    return { atMs: performance.now(), tookMs: performance.now() - atMs, stored, behind };
  }

  async function readOn(): Promise<void> {
    while (!over.signal.aborted) {
      stops.add(await reading());
      await delay(PAUSE_MS);
    }
  }

  let failure: Error | undefined;
  const ended = readOn().catch((error: unknown) => {
    failure = new Error('The flow could not be watched.', { cause: error });
  });
  return {
    begin: () => stops.begin(performance.now()),
    read() {
      if (failure !== undefined) throw failure;
      return stops.read();
    },
    async end() {
      over.abort();
      await ended;
    },
  };
}

/** The longest stops of a row of readings. */
export interface StopsTally {
  begin(atMs: number): void;
  add(reading: FlowReading): void;
  read(): Stops;
}

/** Keeps the longest stops of a row of readings. */
export function createStops(): StopsTally {
  let longest: Stops = { inserts: 0, partition: 0, reading: 0 };
  let last: FlowReading | undefined;
  let insertedMs = 0;
  /** Since when a partition has the same committed offset, with records after it. */
  let standing = new Map<string, { readonly next: bigint; readonly sinceMs: number }>();

  function add(reading: FlowReading): void {
    const { atMs, tookMs, stored, behind } = reading;
    const insertsMs = last === undefined ? 0 : atMs - insertedMs;
    if (last === undefined || stored !== last.stored) insertedMs = atMs;
    const still: typeof standing = new Map();
    for (const [place, next] of behind) {
      const known = standing.get(place);
      still.set(place, known?.next === next ? known : { next, sinceMs: atMs });
    }
    const waits = [...standing.values()].map(({ sinceMs }) => atMs - sinceMs);
    standing = still;
    last = reading;
    longest = longer(longest, {
      inserts: insertsMs, partition: Math.max(0, ...waits), reading: tookMs,
    });
  }

  return {
    add,
    begin(atMs) {
      longest = { inserts: 0, partition: 0, reading: 0 };
      insertedMs = atMs;
      standing = new Map([...standing].map(([place, { next }]) => (
        [place, { next, sinceMs: atMs }]
      )));
    },
    read: () => longest,
  };
}

/** How many partitions the writers of tables divide among them. */
export async function countPartitions({ kafka }: TestCluster): Promise<number> {
  return (await kafka.admin.ranges(TOPICS)).length;
}

/** Of all tables: a batch goes table by table, so one of them would show whole batches only. */
async function countInserted({ addresses }: TestCluster): Promise<number> {
  const [row] = await askTables(addresses,
    `SELECT value AS n FROM system.events WHERE event = 'InsertedRows'`);
  return Number(row?.['n'] ?? 0);
}
