import { randomUUID } from 'node:crypto';
import type {
  AuthorizationAsked, AuthorizationTried,
} from '../../services/kernel/authorization-calls.ts';
import type {
  AuthorizationChangeAsked, AuthorizationMove, PlacedMove, ShipmentAuthorized, ShipmentCancelled,
} from '../../services/kernel/authorizations.ts';
import type { AuthorizationRequest, ShipmentUser } from '../../schemas/generated/types.ts';

/** The client that asks in the tests of authorizations. */
export const PLATFORM_CLIENT = '100000000000001';

/** A user with everything that is mandatory, and a little more. */
export function aUser(wishes: Partial<ShipmentUser> = {}): ShipmentUser {
  return {
    full_name: 'Ana Souza', first_name: 'Ana', last_name: 'Souza',
    phone: { number: '5511999990000' },
    address: {
      address_line: 'Avenida Paulista 1000', zip_code: '01310-100',
      city: { id: 'BR-SP-1', name: 'São Paulo' }, state: { id: 'BR-SP' },
      country: { id: 'BR', name: 'Brasil' }, municipality: {},
      geolocation: {
        geolocation_type: 'ROOFTOP', latitude: -23.55052012, longitude: -46.63330834,
      },
    },
    ...wishes,
  };
}

/** A whole request of a new transport order. */
export function aRequest(wishes: Partial<AuthorizationRequest> = {}): AuthorizationRequest {
  return {
    id: 41_234_567_890,
    transport_order_id: randomUUID(),
    direction: 'forward',
    shipment_information: {
      sender: aUser(),
      receiver: aUser(),
      package: {
        items: [{ item_id: 'MLB1', description: 'Headphones', quantity: 1 }],
        dimensions: { height: 10.5, width: 20, length: 30.25, weight: 1_250 },
        amount: 199.9,
      },
    },
    ...wishes,
  };
}

/** Facts as the log has them, one after the other. */
export function placed(events: readonly AuthorizationMove[]): readonly PlacedMove[] {
  return events.map((event, at) => ({
    event,
    recordId: {
      topic: 'shipment.authorizations.v1', topicId: 'id', partition: 0, offset: BigInt(8 + at),
    },
  }));
}

/** The fact that a transport order is authorized. */
export function anAuthorization(
  transport_order_id: string, epoch = 1, wishes: Partial<ShipmentAuthorized> = {},
): ShipmentAuthorized {
  const tracking_number = `RS-${transport_order_id}-${epoch}`.toUpperCase();
  const at_ms = 1_764_000_000_000 + epoch;
  return {
    type: 'ShipmentAuthorized', client_id: PLATFORM_CLIENT, transport_order_id,
    shipment_id: '41', epoch, tracking_number, test: false, asks_secret_word: false,
    answer: {
      id: '41', status: 'AUTHORIZED', status_message: 'ok', tracking_number,
      authorization_information: { date: new Date(at_ms).toISOString(), custom_data: {} },
    },
    request: { ...aRequest({ id: 41, transport_order_id }) },
    at_ms,
    ...wishes,
  };
}

/** The fact that an epoch of a transport order is cancelled. */
export function aCancellation(
  transport_order_id: string, epoch = 1, wishes: Partial<ShipmentCancelled> = {},
): ShipmentCancelled {
  return {
    type: 'ShipmentCancelled', client_id: PLATFORM_CLIENT, transport_order_id, shipment_id: '41',
    epoch, tracking_number: `RS-${transport_order_id}-${epoch}`.toUpperCase(), at_ms: 1_764_000_000_500 + epoch,
    ...wishes,
  };
}

/** The fact that the platform wants a shipment authorized. */
export function anAsk(
  call_id: string, wishes: Partial<AuthorizationAsked> = {},
): AuthorizationAsked {
  const request = aRequest();
  return {
    type: 'AuthorizationAsked', call_id, carrier: 'p-carrier', shipment_id: String(request.id),
    transport_order_id: request.transport_order_id, round: 1, client_id: 'operator',
    request: { ...request },
    at_ms: Date.now(), ...wishes,
  };
}

/** The result of a try of a call. */
export function aTry(
  asked: AuthorizationAsked, attempt: number, wishes: Partial<AuthorizationTried> = {},
): AuthorizationTried {
  const { call_id, carrier, shipment_id, transport_order_id, round } = asked;
  return {
    type: 'AuthorizationTried', call_id, carrier, shipment_id, transport_order_id, round, attempt,
    outcome: 'retry', reason: 'timeout', next_attempt_at_ms: asked.at_ms + attempt * 30_000,
    at_ms: asked.at_ms + attempt, ...wishes,
  };
}

/** A repeat of an authorization that asked for another receiver. */
export function aChange(
  transport_order_id: string, content_hash = 'a'.repeat(64), epoch = 1,
): AuthorizationChangeAsked {
  return {
    type: 'AuthorizationChangeAsked', client_id: PLATFORM_CLIENT, transport_order_id,
    shipment_id: '41', epoch, content_hash, changed: ['/shipment_information/receiver'],
    tracking_number: `RS-${transport_order_id}-${epoch}`.toUpperCase(), test: false,
    request: { id: '41', transport_order_id }, at_ms: 1_764_000_000_700 + epoch,
  };
}
