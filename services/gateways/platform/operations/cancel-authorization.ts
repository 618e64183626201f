import { callStateOf, decideCancel } from '../../../domain/authorization/call-projection.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import {
  authorizationCall, noSuchAuthorization, recordCall, type CallLogPorts,
} from '../authorization-call.ts';

/** What cancelling needs from outside. */
export type CancelAuthorizationPorts = CallLogPorts & { readonly clock: Clock };

/** `POST /platform/authorizations/{call_id}/cancellation`: the carrier is not asked any more. */
export function cancelAuthorization(ports: CancelAuthorizationPorts): Operation {
  return defineOperation('cancel-authorization', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  ports: CancelAuthorizationPorts, { params, caller, deadlineMs }: CallOf<'cancel-authorization'>,
): Promise<Answer> {
  const known = await ports.calls.load(params.call_id);
  if (known === undefined) return noSuchAuthorization();
  // The same again gets the same answer.
  if (callStateOf(known) === 'cancelled') return answer(authorizationCall(known));
  const tried = decideCancel(known, ports.clock.nowMs());
  if (tried === undefined) {
    return {
      kind: 'refusal', code: 'authorization_ended',
      detail: `It is ${callStateOf(known)}; there is nothing left to cancel.`,
    };
  }
  await recordCall(ports, tried, caller.clientId, deadlineMs);
  return answer(authorizationCall({ asked: known.asked, tried }));
}

function answer(body: ReturnType<typeof authorizationCall>): Answer {
  return { kind: 'answer', status: 200, body };
}
