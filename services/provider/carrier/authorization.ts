import type {
  AuthorizationRequest, CancellationRequest, ShipmentUser,
} from '../../../schemas/generated/types.ts';
import type { Journey } from './journeys.ts';

/** How a shipment is called before it has a tracking number. */
export interface ShipmentNames {
  readonly shipment_id: string;
  readonly transport_order_id: string;
}

/**
 * The request to authorize a shipment from the first city of a journey to its last one (interface,
 * 1). Persons and things are made up.
 */
export function authorizationRequest(names: ShipmentNames, journey: Journey): AuthorizationRequest {
  const cities = journey.filter(({ city }) => city !== undefined);
  return {
    id: names.shipment_id,
    transport_order_id: names.transport_order_id,
    direction: 'forward',
    carrier_information: { contract: 'home_delivery' },
    shipment_information: {
      sender: userIn(cities[0], 'Sender'),
      receiver: userIn(cities.at(-1), 'Receiver'),
      package: {
        items: [{ item_id: `item-${names.shipment_id}`, description: 'Sample', quantity: 1 }],
        dimensions: { height: 10, width: 20, length: 30, weight: 500 },
        amount: 10,
      },
    },
  };
}

/** The request to cancel it. */
export function cancellationRequest(names: ShipmentNames): CancellationRequest {
  const { shipment_id: id, transport_order_id } = names;
  return { id, transport_order_id, reason: 'The buyer changed the order.' };
}

function userIn(event: Journey[number] | undefined, last_name: string): ShipmentUser {
  const named = (id: string) => ({ id, name: id });
  return {
    full_name: `Sample ${last_name}`,
    first_name: 'Sample',
    last_name,
    phone: { number: '0000000' },
    address: {
      address_line: 'Sample street 1',
      city: named(event?.city ?? ''),
      state: named(event?.state ?? ''),
      country: named(event?.country_id ?? ''),
    },
  };
}
