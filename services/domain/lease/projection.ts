/** A right that one owner has at a time. */
export interface LeaseRecord {
  /** Empty when it was given back. */
  readonly owner: string;
  /** Rises with every owner, and stays when the right is given back. */
  readonly fence: number;
  readonly until_ms: number;
}

/** When a lease is asked about, by the clock of the store, and how long it is to last then. */
export interface LeaseClock {
  readonly nowMs: number;
  readonly leaseMs: number;
}

/**
 * The lease as `owner` takes or keeps it, with a fence above `fenceLeast` and above every one
 * before; undefined while another owner has it. The owner itself keeps its own fence.
 */
export function claimLease(
  kept: LeaseRecord | undefined, owner: string, fenceLeast: number, { nowMs, leaseMs }: LeaseClock,
): LeaseRecord | undefined {
  const { fence, ...lease } = kept ?? { owner: '', fence: 0, until_ms: 0 };
  const isFree = lease.owner === '' || lease.until_ms <= nowMs;
  if (!isFree && lease.owner !== owner) return undefined;
  const isNew = isFree || fence <= fenceLeast;
  return {
    owner, until_ms: nowMs + leaseMs, fence: isNew ? Math.max(fence, fenceLeast) + 1 : fence,
  };
}

/** The lease kept for longer; undefined when `owner` has lost it. */
export function renewLease(
  kept: LeaseRecord | undefined, owner: string, { nowMs, leaseMs }: LeaseClock,
): LeaseRecord | undefined {
  if (kept?.owner !== owner || kept.until_ms <= nowMs) return undefined;
  return { ...kept, until_ms: nowMs + leaseMs };
}

/** The lease given back; its fence stays, for the next owner to rise above. */
export function releaseLease(
  kept: LeaseRecord | undefined, owner: string, nowMs: number,
): LeaseRecord | undefined {
  if (kept?.owner !== owner || kept.until_ms <= nowMs) return undefined;
  return { ...kept, owner: '', until_ms: 0 };
}
