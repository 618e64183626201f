import { sealFact, subjectsOf } from '../../../domain/authorization/sealed-facts.ts';
import type { AuthorizationAsked } from '../../../kernel/authorization-calls.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { Parties } from '../../../kernel/parties.ts';
import type { PersonalSeals } from '../../../kernel/personal.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { authorizationCall, recordCall, type CallLogPorts } from '../authorization-call.ts';

/** What asking a carrier needs from outside. */
export interface SendAuthorizationPorts extends CallLogPorts {
  readonly parties: Parties;
  readonly personal: Pick<PersonalSeals, 'forWriting'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

/**
 * `POST /platform/carriers/{carrier}/authorizations`: the platform wants a carrier to authorize a
 * shipment (interface, 1). 202 says that it is in the log; the authorizer asks the carrier.
 */
export function sendAuthorization(ports: SendAuthorizationPorts): Operation {
  return defineOperation('send-authorization', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  ports: SendAuthorizationPorts, call: CallOf<'send-authorization'>,
): Promise<Answer> {
  const { body: request, params, caller, deadlineMs } = call;
  const party = await ports.parties.find(params.carrier);
  if (party?.kind !== 'carrier' || party.status !== 'active') {
    return {
      kind: 'refusal', code: 'party_not_found', detail: 'No active carrier has this party id.',
    };
  }
  const asked = await sealed(ports, {
    type: 'AuthorizationAsked',
    call_id: ports.ids.ingestId(),
    carrier: party.party_id,
    client_id: caller.clientId,
    transport_order_id: request.transport_order_id,
    shipment_id: String(request.id),
    round: 1,
    request: { ...request },
    at_ms: ports.clock.nowMs(),
  }, deadlineMs);
  await recordCall(ports, asked, caller.clientId, deadlineMs);
  const body = authorizationCall({ asked, tried: undefined });
  return { kind: 'answer', status: 202, body };
}

/** The fact with the persons of its request sealed. */
export async function sealed(
  { personal }: Pick<SendAuthorizationPorts, 'personal'>, asked: AuthorizationAsked,
  deadlineMs: number,
): Promise<AuthorizationAsked> {
  return sealFact(await personal.forWriting(subjectsOf(asked), deadlineMs), asked);
}
