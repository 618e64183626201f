import type { ClientLimits } from './access.ts';
import type { TenantLimitName } from './admission.ts';
import type { ClientRates, Rate } from './client-rates.ts';

/** What calls of one tenant took: bytes are those of bodies, after decompression. */
export interface TenantUse {
  readonly calls: number;
  readonly locations: number;
  readonly notifications: number;
  readonly bytes: number;
}

/** Every limit of a tenant, which is all clients of one user together. */
export type TenantRates = Readonly<Record<TenantLimitName, Rate>>;

/** What a tenant has left of one limit; it is passed while `waitMs` is above 0. */
export interface TenantStanding {
  readonly of: TenantLimitName;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly waitMs: number;
}

/** Settings that limits of tenants are made of. */
export interface TenantConfig {
  /** A tenant may use as much as so many of its largest client. */
  readonly clients: number;
  /** Bytes of bodies that a tenant may send in a day. */
  readonly bytesPerDay: number;
}

/** Counts what tenants use, across all gateways. */
export interface TenantLimits {
  /**
   * Charges what a tenant used since it was last charged, and answers where it stands, in the order
   * of {@link TENANT_LIMIT_NAMES}. What was used is charged whether it fits or not: it has
   * happened. Rejects with `Unavailable`.
   */
  charge(userId: string, use: TenantUse, rates: TenantRates): Promise<readonly TenantStanding[]>;
}

/** All names, in the order in which they are charged, each with what it costs. */
export const TENANT_COSTS: Readonly<Record<TenantLimitName, keyof TenantUse>> = {
  'tenant': 'calls', 'tenant-locations': 'locations', 'tenant-notifications': 'notifications',
  'tenant-bytes': 'bytes',
};

/** The names of all limits of a tenant. */
export const TENANT_LIMIT_NAMES = Object.keys(TENANT_COSTS) as readonly TenantLimitName[];

const DAY_SECONDS = 86_400;

/**
 * The limits of a tenant as one of its clients gives them. The day of bytes is a bucket that holds
 * a whole day and fills evenly, so that a tenant above it is slowed down to its average.
 */
export function tenantRatesOf(
  { clients, bytesPerDay }: TenantConfig, client: ClientRates, own: ClientLimits = {},
): TenantRates {
  const all = ({ perSecond, burst }: Rate): Rate => (
    { perSecond: perSecond * clients, burst: burst * clients }
  );
  const perDay = own.tenant_bytes_per_day ?? bytesPerDay;
  return {
    'tenant': all(client.client),
    'tenant-locations': all(client['client-locations']),
    'tenant-notifications': all(client['client-notifications']),
    'tenant-bytes': { perSecond: perDay / DAY_SECONDS, burst: perDay },
  };
}

/** The greater of each limit: the largest client of a tenant says how much it may use. */
export function greaterRates(one: TenantRates, other: TenantRates): TenantRates {
  const greater = (name: TenantLimitName): Rate => (
    one[name].perSecond >= other[name].perSecond ? one[name] : other[name]
  );
  return {
    'tenant': greater('tenant'), 'tenant-locations': greater('tenant-locations'),
    'tenant-notifications': greater('tenant-notifications'),
    'tenant-bytes': greater('tenant-bytes'),
  };
}
