import { createSlots } from './slots.ts';

/**
 * Makes what lets each tenant do one thing at a time, beside other tenants: its others wait, first
 * come first served, and are refused (undefined) while `waitingMax` of them do.
 */
export function createTenantSlots(
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
