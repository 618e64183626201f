import { shardOf } from '../../kernel/shards.ts';
import { TENANT_COSTS, TENANT_LIMIT_NAMES, type TenantLimits } from '../../kernel/tenant-limits.ts';
import { callerDigest, keys, tagOf } from './keys.ts';
import type { RunScript } from './script-runner.ts';

const MICROSECONDS = 1_000_000;
const ANSWERS_EACH = 3;

/** Counters of what tenants use. A tenant's are in one shard, wherever its clients are. */
export function createTenantLimits(runScript: RunScript): TenantLimits {
  return {
    async charge(userId, use, rates) {
      const id = callerDigest(userId);
      const tag = tagOf(shardOf(id));
      const answers = (await runScript(
        'charge-tenant', TENANT_LIMIT_NAMES.map((name) => keys.tenantUse(tag, name, id)),
        TENANT_LIMIT_NAMES.flatMap((name) => {
          const { perSecond, burst } = rates[name];
          return [MICROSECONDS / perSecond, burst, use[TENANT_COSTS[name]]];
        }),
      ) as readonly string[]).map(Number);
      return TENANT_LIMIT_NAMES.map((of, nth) => {
        const [remaining = 0, resetSeconds = 0, waitMs = 0] = answers.slice(nth * ANSWERS_EACH);
        return { of, limit: rates[of].burst, remaining, resetSeconds, waitMs };
      });
    },
  };
}
