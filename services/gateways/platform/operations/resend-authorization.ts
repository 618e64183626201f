import { decideResend } from '../../../domain/authorization/call-projection.ts';
import type { StoredCall } from '../../../kernel/authorization-calls.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { AuthorizationRequest } from '../../../../schemas/generated/types.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { authorizationCall, noSuchAuthorization, recordCall } from '../authorization-call.ts';
import { sealed, type SendAuthorizationPorts } from './send-authorization.ts';

/**
 * `POST /platform/authorizations/{call_id}/resend`: asks again for what was parked or cancelled,
 * with a corrected request or with the same.
 */
export function resendAuthorization(ports: Omit<SendAuthorizationPorts, 'parties'>): Operation {
  return defineOperation('resend-authorization', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  ports: Omit<SendAuthorizationPorts, 'parties'>, call: CallOf<'resend-authorization'>,
): Promise<Answer> {
  const { params, body: { request }, caller, deadlineMs } = call;
  const known = await ports.calls.load(params.call_id);
  if (known === undefined) return noSuchAuthorization();
  const other = request && otherOrder(known, request);
  if (other !== undefined) return other;
  const next = decideResend(known, ports.clock.nowMs(), request && { ...request });
  if (next === undefined) {
    return {
      kind: 'refusal', code: 'authorization_not_parked',
      detail: 'Only an authorization that is parked or cancelled is asked for again.',
    };
  }
  const asked = await sealed(ports, next, deadlineMs);
  await recordCall(ports, asked, caller.clientId, deadlineMs);
  const answer = authorizationCall({ asked, tried: undefined });
  return { kind: 'answer', status: 202, body: answer };
}

/** A correction is about the same order: another one would be another authorization. */
function otherOrder({ asked }: StoredCall, request: AuthorizationRequest): Answer | undefined {
  const name = request.transport_order_id === asked.transport_order_id ? 'id' : 'transport_order_id';
  if (name === 'id' && String(request.id) === asked.shipment_id) return undefined;
  const message = `${name} must be that of the authorization; send another order as a new one.`;
  return {
    kind: 'refusal', code: 'validation_failed', detail: message,
    errors: [{ pointer: `/request/${name}`, code: 'not_allowed', message }],
  };
}
