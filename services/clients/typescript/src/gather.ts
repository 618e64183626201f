import {
  closeBatch, encodeItems, hasRoom, type ListCall, type OpenBatch,
} from './batches.ts';
import { createDeferred, type Deferred } from './deferred.ts';
import type { Ports } from './options.ts';
import type { Entry, Outbox } from './outbox.ts';
import type { Room } from './room.ts';

/** Puts items of a device with others of it into batches, and batches into the outbox. */
export interface Gather {
  /** Ends when the items are as safe as the outbox makes them. */
  add(call: ListCall, key: string, head: string, items: readonly unknown[]): Promise<void>;
  /** Writes what is there without waiting for more; ends when it is written. */
  hurry(): Promise<void>;
}

/** What gathering needs. */
export interface GatherConfig {
  readonly lingerMs: number;
  readonly outbox: Outbox;
  readonly room: Room;
  readonly ports: Ports;
  readonly onEntries: (entries: readonly Entry[]) => void;
  /** Nothing more can be written. */
  readonly onFailed: (error: unknown) => void;
}

interface Gathering extends OpenBatch {
  readonly safe: Deferred;
}

/** One write at a time, with the batches of all devices in it. */
export function createGather(config: GatherConfig): Gather {
  const { lingerMs, outbox, room, ports, onEntries, onFailed } = config;
  let open: Gathering[] = [];
  const newest = new Map<string, Gathering>();
  let writing: Promise<void> | undefined;
  let alarm = new AbortController();

  async function write(): Promise<void> {
    while (open.length > 0) {
      await ports.wait(lingerMs, alarm.signal);
      alarm = new AbortController();
      const batches = open;
      open = [];
      newest.clear();
      try {
        const entries = await outbox.append(
          batches.map((batch) => closeBatch(batch, ports.wallMs())),
        );
        entries.forEach(({ cost }, index) => { room.force(cost - (batches[index]?.bytes ?? 0)); });
        onEntries(entries);
        batches.forEach(({ safe }) => { safe.resolve(); });
      } catch (error) {
        batches.forEach(({ safe }) => { safe.reject(error); });
        throw error;
      }
    }
  }

  function batchFor(call: ListCall, key: string, head: string, bytes: number): Gathering {
    const name = `${call.name} ${key}`;
    const present = newest.get(name);
    const isSame = present?.head === head;
    if (present !== undefined && isSame && hasRoom(present, bytes)) return present;
    // A full batch gains nothing by waiting.
    if (isSame) alarm.abort();
    const batch = { call, key, head, items: [], bytes: 0, safe: createDeferred() };
    newest.set(name, batch);
    open.push(batch);
    return batch;
  }

  function begin(): void {
    writing ??= write().catch(onFailed).finally(() => { writing = undefined; });
  }

  return {
    async add(call, key, head, items) {
      const encoded = encodeItems(items, head);
      if (encoded.length === 0) return;
      await room.take(encoded.reduce((sum, { bytes }) => sum + bytes, 0));
      const touched = new Set<Gathering>();
      for (const { text, bytes } of encoded) {
        const batch = batchFor(call, key, head, bytes);
        batch.items.push(text);
        batch.bytes += bytes;
        touched.add(batch);
      }
      begin();
      await Promise.all([...touched].map(({ safe }) => safe.promise));
    },
    async hurry() {
      while (writing !== undefined) {
        alarm.abort();
        await writing;
      }
    },
  };
}
