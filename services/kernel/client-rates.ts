import type { ClientLimits } from './access.ts';
import type { CallLimitName } from './admission.ts';

/** How much of something per second, and how much at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Every limit that admission charges a call to. */
export type ClientRates = Readonly<Record<CallLimitName, Rate>>;

/** The member of a client's record for each limit. */
export const LIMIT_MEMBERS: Readonly<Record<CallLimitName, keyof ClientLimits>> = {
  'client': 'requests_per_second',
  'client-locations': 'locations_per_second',
  'client-notifications': 'notifications_per_second',
  'client-bytes': 'bytes_per_second',
  'device': 'device_requests_per_second',
};

/** All names, in the order in which the script of admission is given their rates. */
export const LIMIT_NAMES = Object.keys(LIMIT_MEMBERS) as readonly CallLimitName[];

const MICROSECONDS = 1_000_000;

/**
 * The rates of one client: its own, else those of the deployment. A burst lasts as many seconds as
 * that of the deployment. `admit.lua` says the same in the same steps, held to this by the suite of
 * the port.
 */
export function ratesOf(defaults: ClientRates, own: ClientLimits = {}): ClientRates {
  return Object.fromEntries(LIMIT_NAMES.map((name) => {
    const { perSecond, burst } = defaults[name];
    const chosen = own[LIMIT_MEMBERS[name]];
    if (chosen === undefined) return [name, { perSecond, burst }];
    const seconds = (MICROSECONDS / perSecond) * burst / MICROSECONDS;
    return [name, { perSecond: chosen, burst: Math.max(1, Math.floor(chosen * seconds)) }];
  })) as ClientRates;
}
