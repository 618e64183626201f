import type { LimitsResource } from '../../../../schemas/generated/types.ts';
import type { AccessStates } from '../../../kernel/access.ts';
import type { CallLimitName } from '../../../kernel/admission.ts';
import { LIMIT_MEMBERS, ratesOf, type ClientRates } from '../../../kernel/client-rates.ts';
import type { ErrorForm, Operation } from '../../../kernel/http.ts';
import { CALL_BYTES_INCLUDED } from '../../../kernel/limits.ts';
import type { TenantConfig } from '../../../kernel/tenant-limits.ts';
import { defineOperation } from '../../common/catalog.ts';

/** Who knows the limits of clients, and those of the deployment. */
export interface LimitPorts {
  readonly access: Pick<AccessStates, 'findClient'>;
  readonly rates: ClientRates;
  readonly tenants: TenantConfig;
}

/**
 * `GET …/limits`: how fast the caller may call and send. There are two, because senders of
 * locations and senders of notifications have tokens of other audiences.
 */
export function showLimits(
  id: 'show-limits' | 'show-tracking-limits',
  { access, rates, tenants }: LimitPorts,
  errors: ErrorForm,
): Operation {
  return defineOperation(id, {
    errors,
    async handle({ caller }) {
      const own = (await access.findClient(caller.clientId))?.limits ?? {};
      const effective = ratesOf(rates, own);
      const rateOf = (name: CallLimitName): LimitsResource['requests'] => ({
        per_second: effective[name].perSecond,
        burst: effective[name].burst,
        own: own[LIMIT_MEMBERS[name]] !== undefined,
      });
      const body: LimitsResource = {
        requests: rateOf('client'),
        locations: rateOf('client-locations'),
        bytes: rateOf('client-bytes'),
        bytes_included_per_request: CALL_BYTES_INCLUDED,
        device_requests: rateOf('device'),
        tenant_clients: tenants.clients,
        tenant_bytes_per_day: own.tenant_bytes_per_day ?? tenants.bytesPerDay,
      };
      return { kind: 'answer', status: 200, body };
    },
  });
}
