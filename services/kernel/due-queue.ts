/**
 * A queue of names by the time at which each is due. Every call rejects with Fault
 * `state_unavailable`; taking also with `state_not_ready`.
 */
export interface DueQueue {
  /**
   * Takes up to `itemsMax` names that are due, the oldest first; each is due again at
   * `nowMs + leaseMs` unless it is rescheduled before: a process that died holds nothing up.
   */
  takeDue(nowMs: number, leaseMs: number, itemsMax: number): Promise<readonly string[]>;
  /** Makes a name due at another time; without a time it leaves the queue. */
  reschedule(name: string, dueMs: number | undefined): Promise<void>;
}
