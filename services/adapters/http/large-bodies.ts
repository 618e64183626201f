import { performance } from 'node:perf_hooks';
import type { ServerResponse } from 'node:http';

/** When a body is large, and how long others have the gateway after one. */
export interface LargeBodiesConfig {
  /** A body of so many bytes after decompression takes the event loop for many milliseconds. */
  readonly largeBodyBytesMin: number;
  /** Others have the gateway for so many times as long as a large body took. */
  readonly restRatio: number;
  /** The longest time for which others have the gateway to themselves after a large body. */
  readonly restMsMax: number;
}

/** Says that a call with a large body is answered. */
export type FinishLargeBody = () => void;

/** Lets calls with large bodies in, one after the other. */
export interface LargeBodies {
  /**
   * Undefined for a body that is not large. Else resolves when it may begin, with what ends it;
   * undefined then when its caller hung up meanwhile.
   */
  enter(
    client: string, bytes: number, response: ServerResponse,
  ): Promise<FinishLargeBody | undefined> | undefined;
}

/** Times in ms; handed in so that a test needs none. */
export interface WorkClock {
  nowMs(): number;
  after(ms: number, act: () => void): void;
}

const LOOP: WorkClock = {
  nowMs: () => performance.now(),
  after: (ms, act) => { setTimeout(act, ms).unref(); },
};

/**
 * Makes the queue of large bodies: one at a time, one client after the other. After each is a rest,
 * by how long it took: log, workers and tables have about as much work with it, and a slow log
 * slows what burdens it most. So large bodies have a bounded share of the machine, and a client
 * that sends many delays those of others by one of its own.
 */
export function createLargeBodies(
  { largeBodyBytesMin, restRatio, restMsMax }: LargeBodiesConfig, loop: WorkClock = LOOP,
): LargeBodies {
  /** Clients with calls that wait; the one that was served last is at the end. */
  const waiting = new Map<string, (() => void)[]>();
  let isTaken = false;

  function next(): void {
    const [first] = waiting;
    if (first === undefined) {
      isTaken = false;
      return;
    }
    const [client, calls] = first;
    const begin = calls.shift();
    waiting.delete(client);
    if (calls.length > 0) waiting.set(client, calls);
    begin?.();
  }

  function begun(): FinishLargeBody {
    const beganMs = loop.nowMs();
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      loop.after(Math.min((loop.nowMs() - beganMs) * restRatio, restMsMax), next);
    };
  }

  function wait(client: string, response: ServerResponse): Promise<FinishLargeBody | undefined> {
    return new Promise((resolve) => {
      const begin = (): void => {
        response.off('close', hangUp);
        resolve(begun());
      };
      const hangUp = (): void => {
        const calls = waiting.get(client)?.filter((each) => each !== begin) ?? [];
        if (calls.length === 0) waiting.delete(client);
        else waiting.set(client, calls);
        resolve(undefined);
      };
      response.once('close', hangUp);
      waiting.set(client, [...waiting.get(client) ?? [], begin]);
    });
  }

  return {
    enter(client, bytes, response) {
      if (bytes < largeBodyBytesMin) return undefined;
      if (isTaken) return wait(client, response);
      isTaken = true;
      return Promise.resolve(begun());
    },
  };
}
