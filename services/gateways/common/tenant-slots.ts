import type { Answer } from '../../kernel/http.ts';
import { createSlots } from './slots.ts';

/** Runs a long read of a tenant when none of its others runs; refuses it while many wait. */
export type TenantReads = (tenant: string, read: () => Promise<Answer>) => Promise<Answer>;

const WAITING_MAX = 8;

/** Lets each tenant have one read at a time, and eight that wait; `what` names them, in plural. */
export function createTenantReads(what: string): TenantReads {
  const takeSlot = createTenantSlots(WAITING_MAX);
  return async (tenant, read) => {
    const slot = takeSlot(tenant);
    if (slot === undefined) {
      return {
        kind: 'refusal', code: 'rate_limited', retryAfterSeconds: 1,
        detail: `${WAITING_MAX + 1} ${what} are being read for the user already; wait for one of them.`,
      };
    }
    const letGo = await slot;
    try {
      return await read();
    } finally {
      letGo();
    }
  };
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
