import { Unavailable } from '../../../kernel/unavailable.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { OutgoingRecord, RecordLog } from '../../../kernel/record-log.ts';
import { RecordTooLarge } from '../../../kernel/record-size.ts';
import type { Signals } from '../../../kernel/signals.ts';
import { pause } from '../backoff.ts';
import type { AppendLimits, TopicSpec } from '../config.ts';
import { framedLength, RECORD_OVERHEAD_BYTES, type FramedRecord } from '../frame.ts';
import { partitionOf } from '../murmur2.ts';
import { textLength } from '../plain-text.ts';
import { createPartitionQueue, type PartitionQueue } from './partition-queue.ts';
import type { PartitionSender } from './sender.ts';

/** What the append path needs. `schemaIdOf` answers from memory; see adapters/registry. */
export interface AppendPorts {
  readonly sender: PartitionSender;
  readonly clock: Clock;
  readonly signals: Signals;
  readonly schemaIdOf: (topic: string) => number;
  readonly random: () => number;
}

/** A {@link RecordLog} that can be closed, and that says how much it holds. */
export interface ClosableRecordLog extends RecordLog {
  /** Bytes of records that are not in the log yet, sent or not. */
  waitingBytes(): number;
  /** Takes no more records, sends what is there until `deadlineMs`, then gives the rest up. */
  close(deadlineMs: number): Promise<void>;
}

// A batch has a head of its own beside the records, and the broker's limit counts it.
const BATCH_HEAD_BYTES = 128;
const HEADER_OVERHEAD_BYTES = 10;

/**
 * The one way into the log (design.md, Producing): records of a key keep their order, at most
 * `waitingBytesMax` bytes wait, and every append is answered at its deadline at the latest. Topics
 * must be in `topics`; an unknown topic is a bug and throws, a record over its topic's limit is
 * `RecordTooLarge`.
 */
export function createRecordLog(
  topics: readonly TopicSpec[],
  limits: AppendLimits,
  ports: AppendPorts,
): ClosableRecordLog {
  const { clock, signals } = ports;
  const specs = new Map(topics.map((topic) => [topic.name, topic]));
  const queues = new Map<string, (PartitionQueue | undefined)[]>();
  const closed = new AbortController();
  let heldBytes = 0;
  let sweeper: NodeJS.Timeout | undefined;
  let closing = false;

  function released(bytes: number): void {
    heldBytes -= bytes;
  }

  function queueOf(topic: string, partition: number): PartitionQueue {
    const ofTopic = queues.get(topic) ?? [];
    let queue = ofTopic[partition];
    if (queue === undefined) {
      const queuePorts = { ...ports, released, closed: closed.signal };
      queue = createPartitionQueue(topic, partition, limits, queuePorts);
      ofTopic[partition] = queue;
      queues.set(topic, ofTopic);
    }
    return queue;
  }

  function allQueues(): readonly PartitionQueue[] {
    return [...queues.values()].flat().filter((queue) => queue !== undefined);
  }

  function sweep(): void {
    const nowMs = clock.nowMs();
    for (const queue of allQueues()) queue.sweep(nowMs);
    signals.logBytesWaiting({ bytes: heldBytes });
    if (heldBytes > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  function refusal(
    queue: PartitionQueue, record: FramedRecord, deadlineMs: number, nowMs: number,
  ): Unavailable | undefined {
    if (closing) return new Unavailable('shutting_down', 'append', 'the log is closed');
    if (deadlineMs <= nowMs) return new Unavailable('log_unavailable', 'append', 'past its deadline');
    if (queue.stuck(nowMs)) return new Unavailable('log_unavailable', 'append', 'the partition is stuck');
    if (heldBytes + record.bytes <= limits.waitingBytesMax) return undefined;
    return new Unavailable('capacity_exhausted', 'append', `${heldBytes} bytes are waiting`);
  }

  function take(
    outgoing: OutgoingRecord, deadlineMs: number, resolve: () => void,
    reject: (fault: Unavailable) => void,
  ): void {
    const spec = specs.get(outgoing.topic);
    if (spec === undefined) throw new RangeError(`no topic ${outgoing.topic} in the catalog`);
    const arrivedMs = clock.nowMs();
    const record = frame(outgoing, outgoing.schemaId ?? ports.schemaIdOf(spec.name), arrivedMs);
    if (record.bytes > spec.message_bytes_max - BATCH_HEAD_BYTES) {
      throw new RecordTooLarge(spec.name, record.bytes, spec.message_bytes_max - BATCH_HEAD_BYTES);
    }
    const queue = queueOf(spec.name, partitionOf(record.key, spec.partitions));
    const fault = refusal(queue, record, deadlineMs, arrivedMs);
    if (fault !== undefined) {
      signals.logAppendRefused({ topic: spec.name, code: fault.code });
      throw fault;
    }
    heldBytes += record.bytes;
    sweeper ??= setInterval(sweep, limits.sweepMs);
    queue.append({ record, deadlineMs, arrivedMs, resolve, reject });
  }

  function append(outgoing: OutgoingRecord, deadlineMs: number): Promise<void> {
    // What is thrown in here rejects.
    return new Promise((resolve, reject) => take(outgoing, deadlineMs, resolve, reject));
  }

  async function close(deadlineMs: number): Promise<void> {
    closing = true;
    const enough = new AbortController();
    const drained = Promise.all(allQueues().map((queue) => queue.drain()));
    await Promise.race([drained, pause(Math.max(0, deadlineMs - clock.nowMs()), enough.signal)]);
    enough.abort();
    closed.abort();
    for (const queue of allQueues()) queue.rejectAll();
    clearInterval(sweeper);
    sweeper = undefined;
    await ports.sender.close();
  }

  return { append, close, waitingBytes: () => heldBytes };
}

function frame(outgoing: OutgoingRecord, schemaId: number, timestampMs: number): FramedRecord {
  const { value: json, headers, isDense = false } = outgoing;
  const key = Buffer.from(outgoing.key);
  let bytes = RECORD_OVERHEAD_BYTES + key.length + framedLength({ json });
  for (const name in headers) {
    bytes += textLength(name) + textLength(headers[name] ?? '') + HEADER_OVERHEAD_BYTES;
  }
  return { key, json, schemaId, headers, isDense, bytes, timestampMs };
}
