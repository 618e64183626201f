import type { Pause } from '../../kernel/clock.ts';
import type { Answer } from '../../kernel/http.ts';
import { createSlots } from './slots.ts';

/** Runs a long read of a tenant when none of its others runs; refuses what waits for too long. */
export type TenantReads = (tenant: string, read: () => Promise<Answer>) => Promise<Answer>;

const WAITING_MAX = 8;
/** A longer wait would leave the read no time before the call ends, as an outage of ours would. */
const WAIT_MS_MAX = 3_000;

/**
 * Lets each tenant have one read at a time, and eight that wait for 3 s at most; `what` names them,
 * in plural.
 */
export function createTenantReads(what: string, pause: Pause): TenantReads {
  const takeSlot = createTenantSlots(WAITING_MAX);
  return async (tenant, read) => {
    const slot = takeSlot(tenant);
    if (slot === undefined) {
      return busy(`${WAITING_MAX + 1} ${what} are being read for the user already; wait for one of them.`);
    }
    const letGo = await Promise.race([slot, pause(WAIT_MS_MAX)]);
    if (letGo === undefined) {
      // It comes nevertheless, and goes to who waits behind.
      void slot.then((end) => { end(); });
      return busy(`Other ${what} of the user were being read for ${WAIT_MS_MAX / 1_000} s; ask for fewer at a time.`);
    }
    try {
      return await read();
    } finally {
      letGo();
    }
  };
}

function busy(detail: string): Answer {
  return { kind: 'refusal', code: 'rate_limited', retryAfterSeconds: 1, detail };
}

/**
 * Makes what lets each tenant do one thing at a time, beside other tenants: its others wait, first
 * come first served, and are refused (undefined) while `waitingMax` of them do.
 */
function createTenantSlots(
  waitingMax: number,
): (tenant: string) => Promise<() => void> | undefined {
  const tenants = new Map<string, { readonly take: () => Promise<() => void>; held: number }>();
  return (tenant) => {
    const own = tenants.get(tenant) ?? { take: createSlots(1), held: 0 };
    if (own.held > waitingMax) return undefined;
    own.held += 1;
    tenants.set(tenant, own);
    return own.take().then((end) => () => {
      end();
      own.held -= 1;
      if (own.held === 0) tenants.delete(tenant);
    });
  };
}
