import type { CountedLimitName, LimitStanding, LimitUse } from '../../kernel/limit-use.ts';
import type { Rate } from '../../kernel/client-rates.ts';
import { shardOf } from '../../kernel/shards.ts';
import { TENANT_LIMIT_NAMES } from '../../kernel/tenant-limits.ts';
import { callerDigest, CLIENT_BUCKETS, keys, tagOf, tagOfClient } from './keys.ts';
import type { RunScript } from './script-runner.ts';

const MICROSECONDS = 1_000_000;
const ANSWERS_EACH = 2;

type Buckets = readonly (readonly [name: CountedLimitName, key: string])[];
type Rates = Readonly<Record<CountedLimitName, Rate>>;

/** Reads the buckets that admission and the meter of tenants charge. */
export function createLimitUse(runScript: RunScript): LimitUse {
  async function read(
    buckets: Buckets, rates: Rates,
  ): Promise<readonly (readonly [CountedLimitName, LimitStanding])[]> {
    const answers = (await runScript(
      'read-limits', buckets.map(([, key]) => key),
      buckets.flatMap(([name]) => [MICROSECONDS / rates[name].perSecond, rates[name].burst]),
    ) as readonly string[]).map(Number);
    return buckets.map(([name], nth) => {
      const [remaining = 0, resetSeconds = 0] = answers.slice(nth * ANSWERS_EACH);
      return [name, { remaining, resetSeconds }];
    });
  }

  return {
    async find({ clientId, userId }, rates) {
      const tenant = callerDigest(userId);
      const ofTenant = tagOf(shardOf(tenant));
      // Two calls: in a cluster a client and its tenant are on different nodes.
      const standings = await Promise.all([
        read(CLIENT_BUCKETS.map(([name, kind]) => (
          [name, keys.clientUse(tagOfClient(clientId), kind, clientId)]
        )), rates),
        read(TENANT_LIMIT_NAMES.map((name) => (
          [name, keys.tenantUse(ofTenant, name, tenant)]
        )), rates),
      ]);
      return Object.fromEntries(standings.flat()) as Awaited<ReturnType<LimitUse['find']>>;
    },
  };
}
