import { bytesOf, type AnyRecord } from '../frame.ts';

/** What makes a batch full, and how old its oldest record gets while it waits for more. */
export interface QueueLimits {
  readonly batchRecordsMax: number;
  readonly batchBytesMax: number;
  readonly lingerMs: number;
}

/** Records that wait for a handler, oldest first. */
export interface RecordQueue {
  add(record: AnyRecord): void;
  /** Takes the next batch out; at least one record when there is any. */
  take(): AnyRecord[];
  clear(): void;
  isEmpty(): boolean;
  bytes(): number;
  /**
   * How long the next batch waits for more, in milliseconds: not when it is full, and less by what
   * the batch before it took, since records have gathered meanwhile.
   */
  restMs(): number;
}

/** Makes an empty queue. */
export function createRecordQueue(limits: QueueLimits): RecordQueue {
  let queue: AnyRecord[] = [];
  let queueBytes = 0;
  /** When the oldest record came, or was left over by the batch before. */
  let sinceMs = 0;
  return {
    add(record) {
      if (queue.length === 0) sinceMs = performance.now();
      queue.push(record);
      queueBytes += bytesOf(record);
    },

    take() {
      let count = 0;
      let bytes = 0;
      for (const record of queue) {
        const size = bytesOf(record);
        if (count > 0 && bytes + size > limits.batchBytesMax) break;
        count += 1;
        bytes += size;
        if (count >= limits.batchRecordsMax) break;
      }
      queueBytes -= bytes;
      sinceMs = performance.now();
      return queue.splice(0, count);
    },

    clear() {
      queue = [];
      queueBytes = 0;
    },

    isEmpty: () => queue.length === 0,
    bytes: () => queueBytes,

    restMs() {
      const isFull = queue.length >= limits.batchRecordsMax || queueBytes >= limits.batchBytesMax;
      return isFull ? 0 : Math.max(0, limits.lingerMs - (performance.now() - sinceMs));
    },
  };
}
