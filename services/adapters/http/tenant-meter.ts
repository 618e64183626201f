import type { AdmissionFacts, AdmittedCaller, QuotaFacts } from '../../kernel/admission.ts';
import { createBoundedCache } from '../../kernel/bounded-cache.ts';
import { ratesOf, type ClientRates } from '../../kernel/client-rates.ts';
import type { Clock } from '../../kernel/clock.ts';
import {
  greaterRates, tenantRatesOf, type TenantConfig, type TenantLimits, type TenantRates,
  type TenantStanding, type TenantUse,
} from '../../kernel/tenant-limits.ts';

/** Settings of the limits of tenants, and those of a client without limits of its own. */
export interface TenantMeterConfig {
  readonly tenants: TenantConfig;
  readonly clientRates: ClientRates;
  /** How long a gateway counts before it charges what a tenant used. */
  readonly tenantChargeMs: number;
}

/** Counts what tenants use in this gateway, and says which of them must wait. */
export interface TenantMeter {
  /** The facts of a call, with the limit of its tenant where that is passed. */
  limit(facts: AdmissionFacts): AdmissionFacts;
  /** Counts a call that was let in. */
  count(caller: AdmittedCaller, use: TenantUse): void;
}

interface Tenant {
  readonly userId: string;
  rates: TenantRates;
  use: TenantUse;
  passed: TenantStanding | undefined;
  /** Until when the limit is passed. */
  untilMs: number;
}

const NOTHING: TenantUse = { calls: 0, locations: 0, notifications: 0, bytes: 0 };
const TENANTS_MAX = 16_384;

/**
 * Makes the meter of one gateway. It counts in memory and charges the store now and then, so that
 * a tenant is no hot key and a call has no second round trip. In between a tenant may use more
 * than its limit, by what its clients may use in that time.
 */
export function createTenantMeter(
  config: TenantMeterConfig, ports: { readonly clock: Clock; readonly tenantLimits: TenantLimits },
): TenantMeter {
  const tenants = createBoundedCache<string, Tenant>(TENANTS_MAX);
  const ratesOfCaller = new WeakMap<AdmittedCaller, TenantRates>();
  let used = new Set<Tenant>();
  let isArmed = false;

  function ratesFor(caller: AdmittedCaller): TenantRates {
    let rates = ratesOfCaller.get(caller);
    if (rates === undefined) {
      const { clientRates, tenants: limits } = config;
      rates = tenantRatesOf(limits, ratesOf(clientRates, caller.limits), caller.limits);
      ratesOfCaller.set(caller, rates);
    }
    return rates;
  }

  function tenantOf(caller: AdmittedCaller): Tenant {
    const { userId } = caller;
    const rates = ratesFor(caller);
    const known = tenants.get(userId);
    if (known !== undefined) {
      if (known.rates !== rates) known.rates = greaterRates(known.rates, rates);
      return known;
    }
    const tenant = { userId, rates, use: NOTHING, passed: undefined, untilMs: 0 };
    tenants.set(userId, tenant);
    return tenant;
  }

  function arm(): void {
    if (isArmed) return;
    isArmed = true;
    setTimeout(() => {
      isArmed = false;
      const due = used;
      used = new Set();
      for (const tenant of due) void charge(tenant);
    }, config.tenantChargeMs).unref();
  }

  /** What cannot be charged now is charged next time; the store's adapter says what failed. */
  async function charge(tenant: Tenant): Promise<void> {
    const { userId, use, rates } = tenant;
    tenant.use = NOTHING;
    try {
      const standings = await ports.tenantLimits.charge(userId, use, rates);
      const worst = standings.reduce((one, next) => next.waitMs > one.waitMs ? next : one);
      tenant.passed = worst.waitMs > 0 ? worst : undefined;
      tenant.untilMs = ports.clock.nowMs() + worst.waitMs;
    } catch {
      tenant.use = sumOf(tenant.use, use);
    }
  }

  return {
    limit(facts) {
      if (facts.caller === undefined || facts.quota?.allowed === false) return facts;
      const { passed, untilMs = 0 } = tenants.get(facts.caller.userId) ?? {};
      if (passed === undefined || untilMs <= ports.clock.nowMs()) return facts;
      return { ...facts, quota: quotaOf(passed) };
    },
    count(caller, use) {
      const tenant = tenantOf(caller);
      tenant.use = sumOf(tenant.use, use);
      used.add(tenant);
      arm();
    },
  };
}

function sumOf(one: TenantUse, other: TenantUse): TenantUse {
  return {
    calls: one.calls + other.calls, locations: one.locations + other.locations,
    notifications: one.notifications + other.notifications, bytes: one.bytes + other.bytes,
  };
}

function quotaOf({ of, limit, remaining, resetSeconds }: TenantStanding): QuotaFacts {
  return { of, allowed: false, limit, remaining, resetSeconds };
}
