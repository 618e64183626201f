import type { StreamLine } from '../../services/kernel/stream-line.ts';

/** An event as a follower reads it. */
export interface SeenEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A line whose reader a test plays: it reads at once, until it stops. */
export interface TestLine extends StreamLine {
  /** Every event so far. */
  events(): readonly SeenEvent[];
  bytes(): Buffer;
  isOver(): boolean;
  stopReading(): void;
  /** Reads all that waits, and what comes. */
  readOn(): void;
  /** Most bytes that ever waited on it. */
  waitedMax(): number;
}

/** Makes a line that its reader reads. */
export function testLine(): TestLine {
  const written: Uint8Array[] = [];
  let waiting = 0;
  let waitedMax = 0;
  let isReading = true;
  let isOver = false;
  let then: (() => void) | undefined;
  return {
    write(bytes) {
      if (isOver) return;
      written.push(bytes);
      if (!isReading) waiting += bytes.length;
      waitedMax = Math.max(waitedMax, waiting);
    },
    waitingBytes: () => waiting,
    onDrained(callback) {
      if (isReading) setImmediate(callback);
      else then = callback;
    },
    end() { isOver = true; },
    cut() { isOver = true; },
    events: () => readEvents(Buffer.concat(written).toString('utf8')),
    bytes: () => Buffer.concat(written),
    isOver: () => isOver,
    stopReading() { isReading = false; },
    readOn() {
      isReading = true;
      waiting = 0;
      const go = then;
      then = undefined;
      go?.();
    },
    waitedMax: () => waitedMax,
  };
}

/** Reads server-sent events as the standard says; what is not ended by a blank line is none. */
export function readEvents(text: string): readonly SeenEvent[] {
  let id: string | undefined;
  return text.split('\n\n').slice(0, -1).map((block) => {
    const fields = new Map(block.split('\n').map((line) => {
      const mark = line.indexOf(': ');
      return [line.slice(0, mark), line.slice(mark + 2)] as const;
    }));
    id = fields.get('id') ?? id;
    return {
      id, event: fields.get('event') ?? '',
      data: JSON.parse(fields.get('data') ?? 'null') as Record<string, unknown>,
    };
  });
}
