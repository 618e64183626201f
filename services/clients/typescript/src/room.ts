import { createFifo } from './fifo.ts';

/** Bounds what waits: who wants to add waits until there is room, first come, first served. */
export interface Room {
  /** Waits until the bytes fit; more than there is in all fits only when nothing else is there. */
  take(bytes: number): Promise<void>;
  /** Takes without waiting: what is there already. */
  force(bytes: number): void;
  free(bytes: number): void;
  /** Every caller that waits gets this error. */
  fail(error: unknown): void;
}

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
  readonly fail: (error: unknown) => void;
}

/** A room of so many bytes. */
export function createRoom(bytesMax: number): Room {
  const waiting = createFifo<Waiting>();
  let used = 0;

  const fits = (bytes: number): boolean => used === 0 || used + bytes <= bytesMax;

  function admit(): void {
    for (let first = waiting.first(); first !== undefined; first = waiting.first()) {
      if (!fits(first.bytes)) return;
      used += first.bytes;
      waiting.take();
      first.go();
    }
  }

  return {
    take(bytes) {
      return new Promise((go, fail) => {
        waiting.push({ bytes, go, fail });
        admit();
      });
    },
    force(bytes) { used += bytes; },
    free(bytes) {
      used -= bytes;
      admit();
    },
    fail(error) {
      for (let first = waiting.take(); first !== undefined; first = waiting.take()) {
        first.fail(error);
      }
    },
  };
}
