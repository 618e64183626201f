import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { LogHandler, LogRecord } from '../../../services/kernel/record-log.ts';
import { parseRecordId, REPLAYED_FROM } from '../../../services/kernel/record-id.ts';
import {
  DIVERSION_LIMITS, type DiversionConfig,
} from '../../../services/workers/table-writer/overflow/config.ts';
import { createDiversion } from '../../../services/workers/table-writer/overflow/divert.ts';
import type { FloodWatch } from '../../../services/workers/table-writer/overflow/flood-watch.ts';
import { createOverflowKeys } from '../../../services/workers/table-writer/overflow/overflow-keys.ts';
import type { OverflowRecorded, ProviderDecisions } from '../../../services/kernel/overflow.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';

/** One application of a record, by its offset in the origin, in the order of time. */
export interface Applied {
  readonly key: string;
  readonly offset: number;
  readonly by: 'worker' | 'overflow';
}

const noFloods: FloodWatch = {
  begin: () => undefined, failed: () => undefined, end: () => undefined,
  handled: () => Promise.resolve(),
};
const PARTITION = { topic: DIVERSION_LIMITS.origin, topicId: 'origin', partition: 0 };

/**
 * One partition of the origin, its worker behind the diversion, the lane and who applies it; all of
 * it in memory, driven step by step. A key is a device, or a device and a provider: `d@p`. Pauses
 * of the worker let the lane go on by one record.
 */
export function createOverflowEnv(
  keys: readonly string[], change: Partial<DiversionConfig> = {},
) {
  const config: DiversionConfig = { ...DIVERSION_LIMITS, pollMs: 0, ...change };
  const origin = keys.map((name, at) => {
    const [key = '', provider = 'p'] = name.split('@');
    return aLogRecord(config.origin, at, { at }, {
      key, topicId: 'origin', headers: { client: 'c1', provider },
    });
  });
  const overflow: LogRecord[] = [];
  const entered = new Set<number>();
  const applied: Applied[] = [];
  const decisions = new Map<string, OverflowRecorded>();
  const providers = new Map<string, ProviderDecisions>();
  const committed = { origin: 0, overflow: 0 };
  const failing = { appends: Infinity, inner: 0, holds: 0 };
  let nowMs = 1_764_000_000_000;
  let fetched = 0;
  let diversion: LogHandler = inner();

  /** A worker that may hold records back for some calls after it got its share. */
  function inner(): LogHandler {
    let held: LogRecord[] = [];
    let holds = failing.holds;
    return {
      onAssigned: () => Promise.resolve(),
      onRevoked: () => Promise.resolve(),
      async onRecords(records) {
        if (failing.inner > 0) {
          failing.inner -= 1;
          throw new Unavailable('sink_unavailable', 'insert', 'as the test asked');
        }
        held = [...held, ...records as LogRecord[]];
        holds -= 1;
        if (holds >= 0) return Promise.resolve([]);
        const last = held.at(-1);
        for (const { key, offset } of held) applied.push({ key, offset: Number(offset), by: 'worker' });
        held = [];
        return Promise.resolve(last === undefined
          ? [] : [{ topic: last.topic, partition: 0, nextOffset: last.offset + 1n }]);
      },
    };
  }

  /** Appends are taken in their order up to the first one that fails; none behind it is. */
  function append(record: { key: string; value: Uint8Array; headers: LogRecord['headers'] }) {
    failing.appends -= 1;
    if (failing.appends < 0) {
      return Promise.reject(new Unavailable('log_unavailable', 'append', 'as the test asked'));
    }
    overflow.push(aLogRecord(config.overflow, overflow.length, record.value.toString(), {
      key: record.key, topicId: 'overflow', headers: record.headers,
    }));
    return Promise.resolve();
  }

  function applyOverflow(count: number, commits = true): void {
    const part = overflow.slice(committed.overflow, committed.overflow + count);
    for (const { key, headers } of part) {
      const recordId = parseRecordId(headers[REPLAYED_FROM]);
      applied.push({ key, offset: Number(recordId?.offset), by: 'overflow' });
    }
    if (commits) committed.overflow += part.length;
  }

  const start = async (): Promise<void> => {
    fetched = committed.origin;
    const clock = { nowMs: () => nowMs };
    const range = { topic: config.overflow, partition: 0, start: 0n };
    diversion = createDiversion(config, {
      clock, signals: silentSignals, log: { append: (record) => append(record) },
      floods: noFloods,
      enter: (records) => {
        for (const { offset } of records) entered.add(Number(offset));
        return Promise.resolve();
      },
      keys: createOverflowKeys(config, {
        clock, signals: silentSignals,
        read: () => Promise.resolve({
          devices: new Map(decisions), providers: new Map(providers),
        }),
        waitingKeys: () => Promise.resolve(
          overflow.slice(committed.overflow).map(({ key }) => key),
        ),
        pause: (ms) => {
          nowMs += ms;
          applyOverflow(1);
          return Promise.resolve();
        },
        watch: {
          ranges: () => Promise.resolve([{ ...range, end: BigInt(overflow.length) }]),
          offsets: () => Promise.resolve([
            { ...range, end: BigInt(overflow.length), next: BigInt(committed.overflow) },
          ]),
        },
      }),
    }, inner());
    await diversion.onAssigned([PARTITION]);
  };

  return {
    config, overflow, applied, entered, committed, failing, applyOverflow, start,
    /** Hands in the next records; a retryable fault brings them again, as the consumer does. */
    async take(count: number, commits = true): Promise<void> {
      const records = origin.slice(fetched, fetched + count);
      for (;;) {
        try {
          const offsets = await diversion.onRecords(records);
          fetched += records.length;
          const next = offsets.find(({ topic }) => topic === config.origin)?.nextOffset;
          if (next !== undefined && commits) committed.origin = Number(next);
          return;
        } catch (error) {
          if (!(error instanceof Unavailable)) throw error;
          failing.appends = Infinity;
        }
      }
    },
    decide(device_id: string, state: 'in' | 'out'): void {
      const version = (decisions.get(device_id)?.version ?? 0) + 1;
      decisions.set(device_id, {
        type: 'OverflowRecorded', device_id, state, version, at_ms: nowMs,
      });
    },
    /** An operator decides about a provider, for a time or until the next decision. */
    decideProvider(provider: string, state: 'in' | 'out', spanMs?: number): void {
      const operator = {
        type: 'OverflowRecorded', provider, by: 'operator', state, at_ms: nowMs,
        version: (providers.get(provider)?.operator?.version ?? 0) + 1,
        ...(spanMs === undefined ? {} : { ends_at_ms: nowMs + spanMs }),
      } as const;
      providers.set(provider, { ...providers.get(provider), operator });
    },
    pass(ms: number): void { nowMs += ms; },
    isWhole: () => committed.origin === origin.length && committed.overflow === overflow.length,
  };
}

/** The offsets of one key in the order in which each was applied first. */
export function firsts(applied: readonly Applied[], key: string): readonly number[] {
  return [...new Set(applied.filter((each) => each.key === key).map(({ offset }) => offset))];
}
