import type { PlatformShipment, ShipmentAuthorization } from '../../../schemas/generated/types.ts';
import type { AuthorizationStates } from '../../kernel/authorizations.ts';
import type { TrackingNumber } from '../../kernel/ids.ts';
import type { ShipmentIndex, ShipmentReference } from '../../kernel/shipment-index.ts';
import type { ShipmentStates } from '../../kernel/shipments.ts';

/** Where the platform reads shipments. */
export interface PlatformShipmentPorts {
  readonly shipments: Pick<ShipmentStates, 'find'>;
  readonly shipmentIndex: ShipmentIndex;
  readonly authorizations: Pick<AuthorizationStates, 'load'>;
}

/** Most authorizations that are shown of one number; there is seldom more than one. */
const AUTHORIZATIONS_MAX = 1_000;

/** A shipment of any carrier; undefined when nothing is known of its number. */
export async function findShipment(
  ports: PlatformShipmentPorts, trackingNumber: TrackingNumber,
): Promise<PlatformShipment | undefined> {
  const [shipment, references] = await Promise.all([
    ports.shipments.find(trackingNumber), ports.shipmentIndex.ofNumber(trackingNumber),
  ]);
  if (shipment === undefined && references.length === 0) return undefined;
  const { platform_client_id, carrier_client_id, state } = shipment ?? {};
  return {
    tracking_number: trackingNumber,
    ...(platform_client_id === undefined ? {} : { platform_client_id }),
    ...(carrier_client_id === undefined ? {} : { carrier_client_id }),
    ...(state === undefined ? {} : { state }),
    authorizations: await Promise.all(
      references.slice(0, AUTHORIZATIONS_MAX).map((each) => authorizationOf(ports, each)),
    ),
  };
}

async function authorizationOf(
  { authorizations }: PlatformShipmentPorts, reference: ShipmentReference,
): Promise<ShipmentAuthorization> {
  const { platform_client_id, transport_order_id, shipment_id, call_id, epoch } = reference;
  // One that a carrier gave is known to us only as given.
  const order = epoch === undefined || platform_client_id === undefined
    ? undefined : await authorizations.load(platform_client_id, transport_order_id);
  const isEnded = order !== undefined && epoch !== undefined
    && (order.stage >= epoch * 2 || order.cancellation !== undefined);
  return {
    ...(platform_client_id === undefined ? {} : { platform_client_id }),
    transport_order_id, shipment_id,
    ...(call_id === undefined ? {} : { call_id }),
    authorized_at: new Date(reference.at_ms).toISOString(),
    status: isEnded ? 'CANCELLED' : 'AUTHORIZED',
  };
}
