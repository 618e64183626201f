import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Leases } from '../../kernel/leases.ts';
import { isUnavailable, Unavailable } from '../../kernel/unavailable.ts';

/** What keeps calls of all copies of the gateway apart. */
export interface OneAtATimePorts {
  readonly leases: Leases;
  readonly ids: Pick<Ids, 'nonce'>;
  readonly clock: Clock;
}

/** What a call that is over may still append. */
const LEASE_GRACE_MS = 1_000;

/** Works while no other call has the lease; else rejects with `Unavailable` `state_busy`. */
export async function oneAtATime<End>(
  { leases, ids, clock }: OneAtATimePorts, lease: string, deadlineMs: number,
  work: () => Promise<End>,
): Promise<End> {
  const owner = ids.nonce();
  const leaseMs = Math.max(0, deadlineMs - clock.nowMs()) + LEASE_GRACE_MS;
  if (await leases.claim(lease, owner, leaseMs, 0) === undefined) {
    throw new Unavailable('state_busy', 'decide', `another call has the lease ${lease}`);
  }
  try {
    return await work();
  } finally {
    await release(leases, lease, owner);
  }
}

/** Without it the lease ends when its time is over. */
async function release(leases: Leases, lease: string, owner: string): Promise<void> {
  try {
    await leases.release(lease, owner);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}
