import type { ShipmentAuthorizations } from '../../../../schemas/generated/types.ts';
import { canonicalNumber } from '../../../domain/journey/canonical-number.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { findShipment, type PlatformShipmentPorts } from '../../common/shipment-resource.ts';
import { notificationErrors } from '../../common/notification-errors.ts';
import { isSide, notOwnShipment } from '../own-page.ts';

/**
 * `GET …/shipments/{tracking_number}/authorization`: what authorized a shipment, for the client
 * that authorized it and the one that carries it.
 */
export function showShipmentAuthorization(ports: PlatformShipmentPorts): Operation {
  return defineOperation('show-shipment-authorization', {
    errors: notificationErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  ports: PlatformShipmentPorts, { params, caller }: CallOf<'show-shipment-authorization'>,
): Promise<Answer> {
  const asked = params.tracking_number.trim();
  const shipment = await findShipment(ports, canonicalNumber(asked));
  if (shipment === undefined || !isSide(shipment, caller.clientId)) return notOwnShipment();
  const { platform_client_id, carrier_client_id, authorizations } = shipment;
  const body: ShipmentAuthorizations = {
    tracking_number: asked,
    ...(platform_client_id === undefined ? {} : { platform_client_id }),
    ...(carrier_client_id === undefined ? {} : { carrier_client_id }),
    // An earlier platform side of the same number is none of the sides that it has now.
    authorizations: authorizations.filter((each) => each.platform_client_id === platform_client_id),
  };
  return { kind: 'answer', status: 200, body };
}
