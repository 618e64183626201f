import type { LimitsResource } from '../../../../schemas/generated/types.ts';
import type { AccessStates } from '../../../kernel/access.ts';
import type { CallLimitName } from '../../../kernel/admission.ts';
import type { LimitUse } from '../../../kernel/limit-use.ts';
import { LIMIT_MEMBERS, ratesOf, type ClientRates } from '../../../kernel/client-rates.ts';
import type { ErrorForm, Operation } from '../../../kernel/http.ts';
import { CALL_BYTES_INCLUDED } from '../../../kernel/limits.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { OverflowStates } from '../../../kernel/overflow.ts';
import { tenantRatesOf, type TenantConfig } from '../../../kernel/tenant-limits.ts';
import { holdingDecision } from '../../../domain/overflow/provider-overflow.ts';
import { defineOperation } from '../../common/catalog.ts';

/** Who knows the limits of clients, and those of the deployment. */
export interface LimitPorts {
  readonly access: Pick<AccessStates, 'findClient'>;
  readonly rates: ClientRates;
  readonly tenants: TenantConfig;
  readonly overflow: Pick<OverflowStates, 'decisionsOf'>;
  readonly limitUse: LimitUse;
  readonly clock: Clock;
}

/**
 * `GET …/limits`: how fast the caller may call and send, how much of that is left, and which of its
 * providers are stored after others. There are two, because senders of locations and senders of
 * notifications have tokens of other audiences.
 */
export function showLimits(
  id: 'show-limits' | 'show-tracking-limits',
  { access, rates, tenants, overflow, limitUse, clock }: LimitPorts,
  errors: ErrorForm,
): Operation {
  return defineOperation(id, {
    errors,
    async handle({ caller }) {
      const client = await access.findClient(caller.clientId);
      const own = client?.limits ?? {};
      const effective = ratesOf(rates, own);
      const standings = await limitUse.find(caller, {
        ...effective, ...tenantRatesOf(tenants, effective, own),
      });
      const rateOf = (name: CallLimitName): LimitsResource['device_requests'] => ({
        per_second: effective[name].perSecond,
        burst: effective[name].burst,
        own: own[LIMIT_MEMBERS[name]] !== undefined,
      });
      const usedOf = (name: Exclude<CallLimitName, 'device'>): LimitsResource['requests'] => ({
        ...rateOf(name),
        remaining: standings[name].remaining, reset_seconds: standings[name].resetSeconds,
      });
      const body: LimitsResource = {
        requests: usedOf('client'),
        locations: usedOf('client-locations'),
        notifications: usedOf('client-notifications'),
        bytes: usedOf('client-bytes'),
        bytes_included_per_request: CALL_BYTES_INCLUDED,
        device_requests: rateOf('device'),
        tenant_clients: tenants.clients,
        tenant_bytes_per_day: own.tenant_bytes_per_day ?? tenants.bytesPerDay,
        tenant_bytes_remaining: standings['tenant-bytes'].remaining,
        overflowing_providers: overflowing(
          await overflow.decisionsOf(client?.providers ?? []), clock.nowMs(),
        ),
      };
      return { kind: 'answer', status: 200, body };
    },
  });
}

function overflowing(
  known: Awaited<ReturnType<OverflowStates['decisionsOf']>>, nowMs: number,
): LimitsResource['overflowing_providers'] {
  return known.flatMap(({ provider, decisions }) => {
    const decision = holdingDecision(decisions, nowMs);
    if (decision?.state !== 'in') return [];
    const { at_ms, ends_at_ms } = decision;
    return [{
      provider,
      decided_at: new Date(at_ms).toISOString(),
      ...(ends_at_ms === undefined ? {} : { ends_at: new Date(ends_at_ms).toISOString() }),
    }];
  });
}
