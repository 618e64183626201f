import type { LimitsResource } from '../../../../schemas/generated/types.ts';
import type { AccessStates } from '../../../kernel/access.ts';
import type { LimitName } from '../../../kernel/admission.ts';
import { LIMIT_MEMBERS, ratesOf, type ClientRates } from '../../../kernel/client-rates.ts';
import type { ErrorForm, Operation } from '../../../kernel/http.ts';
import { CALL_BYTES_INCLUDED } from '../../../kernel/limits.ts';
import { defineOperation } from '../../common/catalog.ts';

/**
 * `GET …/limits`: how fast the caller may call and send. There are two, because senders of
 * locations and senders of notifications have tokens of other audiences.
 */
export function showLimits(
  id: 'show-limits' | 'show-tracking-limits',
  { access, rates }: { readonly access: Pick<AccessStates, 'findClient'>; readonly rates: ClientRates },
  errors: ErrorForm,
): Operation {
  return defineOperation(id, {
    errors,
    async handle({ caller }) {
      const own = (await access.findClient(caller.clientId))?.limits ?? {};
      const effective = ratesOf(rates, own);
      const rateOf = (name: LimitName): LimitsResource['requests'] => ({
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
      };
      return { kind: 'answer', status: 200, body };
    },
  });
}
