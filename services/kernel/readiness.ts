/**
 * The mark that the state store holds everything the log says. Gateways answer 500 without it; only
 * the rebuild sets it.
 */
export interface Readiness {
  isReady(): Promise<boolean>;
  /** Takes the right to rebuild for `leaseMs`, or false when another process has it. */
  claimRebuild(owner: string, leaseMs: number): Promise<boolean>;
  /** Keeps the right; false when it was lost meanwhile. */
  renewRebuild(owner: string, leaseMs: number): Promise<boolean>;
  /** Sets the mark in every shard, if `owner` still has the right, and gives the right back. */
  markReady(owner: string): Promise<boolean>;
}
