import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetterRepair } from '../../../schemas/generated/types.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import {
  isDecoded, type RecordLog, type TopicPartition,
} from '../../kernel/record-log.ts';
import { formatRecordId, originalRecordId, type RecordId } from '../../kernel/record-id.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { ConsumedRecord, ApplyRecords, Outcome, Poison } from './outcomes.ts';
import { parkedIn, type ParkingFacts, type ParkedKeys } from './parked-keys.ts';

/** Settings of the order within keys. */
export interface KeyOrderConfig {
  /** Name of the worker, by which it knows its own dead letters. */
  readonly worker: string;
  /** The topic whose order within a key must hold. */
  readonly topic: string;
  readonly codeVersion: string;
  readonly appendMsMax: number;
  /** Most records that may wait; with more the worker stops loudly. */
  readonly parkedMax: number;
}

/** What keeping the order needs. */
export interface KeyOrderPorts {
  readonly log: RecordLog;
  /** Dead letters of the worker and repairs of them, up to the end of the log. */
  readonly parking: () => Promise<ParkingFacts>;
  readonly clock: Clock;
  readonly signals: Signals;
}

/** The order within keys of one worker. */
export interface KeyOrder {
  /** Learns from the log which keys are parked; before the first record of these partitions. */
  readonly onAssigned: (partitions: readonly TopicPartition[]) => Promise<void>;
  /** The same function, but never past a record that `refuse` cannot read (see below). */
  inOrder(
    refuse: (record: ConsumedRecord) => Poison | undefined, apply: ApplyRecords,
  ): ApplyRecords;
}

/** Defaults of {@link KeyOrderConfig}. */
export const KEY_ORDER_LIMITS = { parkedMax: 100_000 } as const;

/**
 * Keeps the order within a key when one of its records cannot be applied: that record and all of
 * its key that come after become dead letters, until they are put back in their turn. Which keys
 * are parked is nowhere but in the log: dead letters of this worker, without those that it resumed
 * and those that an operator discarded. Other keys go on (design.md, Consuming; ADR 0014).
 */
export function createKeyOrder(config: KeyOrderConfig, ports: KeyOrderPorts): KeyOrder {
  let topicIds: readonly string[] = [];
  let parked: ParkedKeys = new Map();

  async function read(): Promise<void> {
    parked = parkedIn(await ports.parking(), topicIds, ports.clock.nowMs());
    report();
  }

  function report(): void {
    let records = 0;
    for (const recordIds of parked.values()) records += recordIds.length;
    ports.signals.keysParked({ worker: config.worker, keys: parked.size, records });
    if (records <= config.parkedMax) return;
    throw new Unavailable('key_parked', 'consume', `${records} records wait behind records before them`);
  }

  /** Records that parked records are processed, so that no process waits for them again. */
  async function appendResumed(records: readonly ConsumedRecord[]): Promise<void> {
    for (const record of records) {
      const atMs = ports.clock.nowMs();
      const { topicId: topic_id, partition, offset } = originalRecordId(record);
      const key = keyOf(record) ?? '';
      const repair: DeadLetterRepair = {
        type: 'DeadLetterResumed',
        origin: {
          topic: config.topic, topic_id, partition, offset: Number(offset),
          key: Buffer.from(key).toString('base64'),
        },
        worker: config.worker,
        code_version: config.codeVersion,
        at_ms: atMs,
      };
      await ports.log.append({
        topic: TOPICS.deadLetterRepairs.name, key, headers: {},
        value: Buffer.from(JSON.stringify(repair)),
      }, atMs + config.appendMsMax);
    }
  }

  return {
    async onAssigned(partitions) {
      topicIds = [...new Set(partitions.map(({ topicId }) => topicId))];
      await read();
    },

    inOrder: (refuse, apply) => async (records) => {
      // What an operator discarded meanwhile is known to the log alone.
      if (records.some((record) => parked.has(keyOf(record) ?? ''))) await read();
      const sorted = sortOut(parked, records, refuse);
      const applied = await apply(sorted.passed);
      await appendResumed(sorted.resumed);
      parked = sorted.parked;
      report();
      const outcomes = new Map([...sorted.held, ...applied].map((each) => [each.record, each]));
      return records.flatMap((record) => outcomes.get(record) ?? []);
    },
  };
}

interface Sorted {
  readonly passed: readonly ConsumedRecord[];
  /** Of these the ones that had been parked. */
  readonly resumed: readonly ConsumedRecord[];
  readonly held: readonly Outcome[];
  readonly parked: ParkedKeys;
}

/** Finds what may be applied now; a record that is not the first of its parked key may not. */
function sortOut(
  before: ParkedKeys, records: readonly ConsumedRecord[],
  refuse: (record: ConsumedRecord) => Poison | undefined,
): Sorted {
  const parked = new Map(before);
  const passed: ConsumedRecord[] = [];
  const resumed: ConsumedRecord[] = [];
  const held: Outcome[] = [];
  for (const record of records) {
    const key = keyOf(record);
    const recordId = originalRecordId(record);
    const waiting = key === undefined ? [] : parked.get(key) ?? [];
    const [first] = waiting;
    const isHeld = first !== undefined && isAfter(recordId, first);
    const poison = isHeld ? waitsFor(first) : refuse(record);
    if (poison !== undefined) {
      if (key !== undefined) parked.set(key, withRecordId(waiting, recordId));
      held.push({ kind: 'dead_letter', record, poison });
      continue;
    }
    passed.push(record);
    if (key === undefined || first === undefined || recordId.offset !== first.offset) continue;
    resumed.push(record);
    if (waiting.length === 1) parked.delete(key);
    else parked.set(key, waiting.slice(1));
  }
  return { passed, resumed, held, parked };
}

function isAfter(recordId: RecordId, first: RecordId): boolean {
  return recordId.topicId === first.topicId && recordId.offset > first.offset;
}

function waitsFor(first: RecordId): Poison {
  return { stage: 'consume', code: 'key_parked', detail: `waits for ${formatRecordId(first)}` };
}

function withRecordId(recordIds: readonly RecordId[], recordId: RecordId): readonly RecordId[] {
  const { topicId, partition, offset } = recordId;
  const last = recordIds.at(-1);
  if (last === undefined || offset > last.offset) {
    return [...recordIds, { topicId, partition, offset }];
  }
  if (recordIds.some((known) => known.offset === offset)) return recordIds;
  return [...recordIds, { topicId, partition, offset }]
    .sort((a, b) => (a.offset < b.offset ? -1 : 1));
}

function keyOf(record: ConsumedRecord): string | undefined {
  return isDecoded(record) ? record.key : record.rawKey?.toString('utf8');
}
