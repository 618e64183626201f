import type { CallLimitName, TenantLimitName } from './admission.ts';
import type { ClientRates } from './client-rates.ts';
import type { TenantRates } from './tenant-limits.ts';

/** Limits of a client and of its tenant; those of devices are many. */
export type CountedLimitName = Exclude<CallLimitName, 'device'> | TenantLimitName;

/** What is left of a limit at one moment, and the seconds until all of it is. */
export interface LimitStanding {
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Says how much of its limits a client has used; asking takes nothing of them. */
export interface LimitUse {
  /** Where a client and its user stand by these rates. Rejects with `Unavailable`. */
  find(
    client: { readonly clientId: string; readonly userId: string },
    rates: ClientRates & TenantRates,
  ): Promise<Readonly<Record<CountedLimitName, LimitStanding>>>;
}
