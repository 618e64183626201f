import { REDIS_DEFAULTS, ratesIn } from '../../services/adapters/redis/config.ts';
import type { TenantLimits } from '../../services/kernel/tenant-limits.ts';
import type { TenantMeterConfig } from '../../services/adapters/http/tenant-meter.ts';

/** Settings of an edge whose tests are not about tenants. */
export const FREE_TENANTS: TenantMeterConfig = {
  tenants: { clients: 5, bytesPerDay: 107_374_182_400 }, clientRates: ratesIn(REDIS_DEFAULTS),
  tenantChargeMs: 1_000,
};

/** Limits that no tenant reaches. */
export const freeTenantLimits: TenantLimits = { charge: async () => [] };
