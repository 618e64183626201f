import type { Answer, Call, Operation } from '../../../kernel/http.ts';
import { storedText } from '../../../domain/authorization/stored-texts.ts';
import type {
  CancellationRequest, CancellationResponse,
} from '../../../../schemas/generated/types.ts';
import { fromCatalog } from '../../common/catalog.ts';
import { settle, type AuthorizationPorts, type SettleConfig } from '../settle.ts';
import { OWN_ERRORS, pathFault } from './shared.ts';

/**
 * `POST /shipments/{shipment_id}/cancellation`: ends the authorization; the next one gets another
 * tracking number. Sent again it changes nothing (decisions.md, Cancellation).
 */
export function cancelShipment(config: SettleConfig, ports: AuthorizationPorts): Operation {
  return {
    ...fromCatalog('cancel-shipment'),
    ...OWN_ERRORS,
    handle: (call) => handle(config, ports, call),
  };
}

async function handle(
  config: SettleConfig, ports: AuthorizationPorts, call: Call,
): Promise<Answer> {
  const { id, transport_order_id, reason } = call.body as CancellationRequest;
  const fault = pathFault(call, id);
  if (fault !== undefined) return fault;
  const clientId = call.caller?.clientId ?? '';
  const settled = await settle(config, ports, call, {
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
  if (settled.kind === 'refused') {
    return {
      kind: 'refusal',
      code: settled.code,
      detail: 'No such shipment was authorized for this transport order.',
      errorCode: 'invalid_shipment_information.id',
    };
  }
  const body: CancellationResponse = { id: String(id), status: 'CANCELLED' };
  return { kind: 'answer', status: 200, body };
}
