import type { DueQueue } from '../kernel/due-queue.ts';
import type { MemberChange, StateKey, StateStore } from '../kernel/state-store.ts';

/** A queue whose names facts from the log bring into it. */
export interface FilledQueue extends DueQueue {
  /**
   * Makes a name due unless it is in the queue already, and drops what is older than any
   * question about it.
   */
  enqueue(name: string, dueMs: number, oldestMs?: number): Promise<void>;
}

/** Names in a sorted set by when they are due; taking gives them a lease in the same step. */
export function createDueQueue(store: StateStore, key: StateKey): FilledQueue {
  async function change(members: Omit<MemberChange, 'key'>): Promise<void> {
    await store.commit([{ entries: [], members: [{ key, ...members }] }], { requireReady: false });
  }

  return {
    takeDue: (nowMs, leaseMs, itemsMax) => store.takeDue(key, nowMs, nowMs + leaseMs, itemsMax),
    reschedule: (name, dueMs) => change(
      dueMs === undefined ? { remove: [name] } : { add: [{ member: name, score: dueMs }] },
    ),
    enqueue: (name, dueMs, oldestMs) => change({
      addNew: [{ member: name, score: dueMs }],
      ...(oldestMs === undefined ? {} : { dropBelow: oldestMs }),
    }),
  };
}
