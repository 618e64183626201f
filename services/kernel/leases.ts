/**
 * Rights that one process has at a time. A lease that is not renewed passes on; its fence rises
 * with every owner, so that writes of a former owner are recognized. Every call rejects
 * with `Unavailable` `state_unavailable`.
 */
export interface Leases {
  /**
   * Takes the lease for `leaseMs` and answers its fence, above `fenceLeast` and above every one
   * before; undefined while another owner has it. The owner itself gets its own fence again.
   */
  claim(
    name: string, owner: string, leaseMs: number, fenceLeast: number,
  ): Promise<number | undefined>;
  /** Keeps the lease for `leaseMs` more; false when it was lost. */
  renew(name: string, owner: string, leaseMs: number): Promise<boolean>;
  /** Gives the lease back, if it is still the owner's. */
  release(name: string, owner: string): Promise<void>;
}
