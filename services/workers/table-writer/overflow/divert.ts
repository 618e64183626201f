import type { Clock } from '../../../kernel/clock.ts';
import {
  isDecoded, type CommitOffset, type LogHandler, type LogRecord, type RecordLog,
} from '../../../kernel/record-log.ts';
import { originalRecordId, formatRecordId, REPLAYED_FROM } from '../../../kernel/record-id.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { ConsumedRecord } from '../../common/outcomes.ts';
import type { DiversionConfig } from './config.ts';
import type { FloodWatch } from './flood-watch.ts';
import type { OverflowKeys } from './overflow-keys.ts';

/** What diverting takes. */
export interface DiversionPorts {
  readonly keys: OverflowKeys;
  readonly floods: FloodWatch;
  readonly log: RecordLog;
  /** Says in the ledger that the records were read; repeating it changes nothing. */
  readonly enter: (records: readonly LogRecord[]) => Promise<void>;
  readonly clock: Clock;
  readonly signals: Signals;
}

/**
 * A handler before a worker: records of diverted keys and providers go to the overflow topic, all
 * others to `inner` (ADR 0018). While none is diverted it only counts and polls for decisions.
 */
export function createDiversion(
  config: DiversionConfig, ports: DiversionPorts, inner: LogHandler,
): LogHandler {
  const { keys, floods } = ports;
  const divert = createBursts(config, ports);
  const ways = new Map<number, Way>();

  /** Decided once a call for each key, so that no record overtakes another of its key. */
  async function split(records: readonly ConsumedRecord[]) {
    const decisions = new Map<string, boolean>();
    const aside: LogRecord[] = [];
    const direct: ConsumedRecord[] = [];
    for (const record of records) {
      if (record.topic !== config.origin || !isDecoded(record)) {
        direct.push(record);
        continue;
      }
      const { key } = record;
      const isAside = decisions.get(key) ?? (keys.knows(record)
        && await keys.isDiverted(record, () => isIdle(wayOf(ways, record))));
      decisions.set(key, isAside);
      if (isAside) aside.push(record);
      else direct.push(record);
    }
    return { aside, direct };
  }

  async function handle(
    records: readonly ConsumedRecord[],
  ): Promise<readonly CommitOffset[]> {
    await keys.poll();
    const { aside, direct } = await split(records);
    // Before the others: if this fails, the worker behind has not been asked for anything yet.
    const fresh = aside.filter((record) => record.offset >= wayOf(ways, record).diverted);
    await divert(fresh, (record) => { wayOf(ways, record).diverted = record.offset + 1n; });
    for (const record of direct) {
      if (record.topic === config.origin) wayOf(ways, record).given = record.offset + 1n;
    }
    return committable(config.origin, records, await inner.onRecords(direct), ways);
  }

  return {
    async onAssigned(partitions) {
      for (const { topic, partition } of partitions) {
        if (topic === config.origin) ways.delete(partition);
      }
      await keys.begin();
      floods.begin(partitions);
      await inner.onAssigned(partitions);
    },

    async onRevoked(partitions) {
      floods.end();
      await inner.onRevoked(partitions);
    },

    async onRecords(records) {
      try {
        const done = await handle(records);
        await floods.handled(records);
        return done;
      } catch (error) {
        floods.failed();
        throw error;
      }
    },
  };
}

/** Progress of a partition in both topics; each is the first offset that is not done. */
interface Way {
  /** Handed to the worker behind. */
  given: bigint;
  /** Committed by it. */
  done: bigint;
  /** In the overflow topic. */
  diverted: bigint;
}

function wayOf(ways: Map<number, Way>, { partition }: { readonly partition: number }): Way {
  const known = ways.get(partition);
  if (known !== undefined) return known;
  const way = { given: 0n, done: 0n, diverted: 0n };
  ways.set(partition, way);
  return way;
}

/** The worker behind holds no record of the partition back. */
function isIdle({ given, done }: Way): boolean {
  return done >= given;
}

/** What the worker behind has done, and what lies diverted behind the last of that. */
function committable(
  origin: string, records: readonly ConsumedRecord[], done: readonly CommitOffset[],
  ways: Map<number, Way>,
): readonly CommitOffset[] {
  for (const { topic, partition, nextOffset } of done) {
    if (topic === origin) wayOf(ways, { partition }).done = nextOffset;
  }
  const ends = new Map<number, bigint>();
  for (const { topic, partition, offset } of records) {
    if (topic === origin) ends.set(partition, offset + 1n);
  }
  const whole = [...ends].filter(([partition]) => isIdle(wayOf(ways, { partition })));
  return [
    ...done.filter(({ topic, partition }) => (
      topic !== origin || !whole.some(([each]) => each === partition)
    )),
    ...whole.map(([partition, nextOffset]) => ({ topic: origin, partition, nextOffset })),
  ];
}

/**
 * Appends to the overflow topic: records in their order, with their original record id. A burst
 * that fails is appended again from its first record, so some records may be there twice.
 */
function createBursts(
  config: DiversionConfig, { log, enter, clock, signals }: DiversionPorts,
): (records: readonly LogRecord[], taken: (record: LogRecord) => void) => Promise<void> {
  const labels = { worker: 'table-writer', topic: config.origin, outcome: 'diverted' };
  return async (records, taken) => {
    for (const burst of burstsOf(records, config)) {
      await enter(burst);
      const deadlineMs = clock.nowMs() + config.appendMsMax;
      await untilAppended(burst.map((record) => log.append({
        topic: config.overflow, key: record.key, value: record.value,
        headers: { ...record.headers, [REPLAYED_FROM]: formatRecordId(originalRecordId(record)) },
      }, deadlineMs)));
      burst.forEach(taken);
      signals.recordsEnded({ ...labels, code: 'none', records: burst.length });
    }
  };
}

/** Waits for all, so that none is in flight when the same records are appended again. */
async function untilAppended(appends: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(appends);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function* burstsOf(
  records: readonly LogRecord[], { burstRecordsMax, burstBytesMax }: DiversionConfig,
): Generator<readonly LogRecord[]> {
  let burst: LogRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const isFull = burst.length >= burstRecordsMax || bytes + record.value.length > burstBytesMax;
    if (isFull && burst.length > 0) {
      yield burst;
      burst = [];
      bytes = 0;
    }
    burst.push(record);
    bytes += record.value.length;
  }
  if (burst.length > 0) yield burst;
}
