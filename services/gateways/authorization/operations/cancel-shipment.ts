import type { Answer, Operation } from '../../../kernel/http.ts';
import { storedText } from '../../../domain/authorization/stored-texts.ts';
import type { CancellationResponse } from '../../../../schemas/generated/types.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import type { RaceConfig } from '../../common/decide-and-append.ts';
import { decideOnOrder, type AuthorizationPorts } from '../decide-on-order.ts';
import { OWN_ERRORS, pathFault } from './shared.ts';

/**
 * `POST /shipments/{shipment_id}/cancellation`: ends the authorization; the next one gets another
 * tracking number. Sent again it changes nothing (decisions.md, Cancellation).
 */
export function cancelShipment(config: RaceConfig, ports: AuthorizationPorts): Operation {
  return defineOperation('cancel-shipment', {
    ...OWN_ERRORS,
    handle: (call) => handle(config, ports, call),
  });
}

async function handle(
  config: RaceConfig, ports: AuthorizationPorts, call: CallOf<'cancel-shipment'>,
): Promise<Answer> {
  const { id, transport_order_id, reason } = call.body;
  const fault = pathFault(call, id);
  if (fault !== undefined) return fault;
  const clientId = call.caller.clientId;
  const outcome = await decideOnOrder(config, ports, call, {
    clientId,
    transportOrderId: transport_order_id,
    commandOn: () => ({
      type: 'CancelShipment',
      client_id: clientId,
      transport_order_id,
      shipment_id: String(id),
      reason: reason === undefined ? undefined : storedText('reason', reason),
      at_ms: ports.clock.nowMs(),
    }),
  });
  if (outcome.kind === 'refused') {
    return {
      kind: 'refusal',
      code: outcome.code,
      detail: 'No such shipment was authorized for this transport order.',
      errorCode: 'invalid_shipment_information.id',
    };
  }
  const body: CancellationResponse = { id: String(id), status: 'CANCELLED' };
  return { kind: 'answer', status: 200, body };
}
