import { isoOf } from './bodies.ts';
import type { Session } from './session.ts';
import type { Ask } from './talk.ts';

/** A notification as a carrier sends it; `ageSeconds` ago, so that a list can be in order. */
export function aNotification(
  session: Session, tracking_number: string, code = 'KIT-MOVED', ageSeconds = 60,
) {
  return {
    tracking_number,
    code,
    carrier_code: `own-${code}`,
    payload: {
      date: isoOf(session.nowSeconds() - ageSeconds),
      location: { country_id: session.setup.country, city_name: 'Montevideo', zip_code: '11000' },
    },
  };
}

/** Push of notifications (decisions). */
export function pushAsk(json: unknown): Ask {
  return { path: '/shipping/tracking/notifications', audience: 'logistic-feed', json };
}

/** Pull feed of a shipment (decisions). */
export function feedAsk(
  tracking_number: string, query: Readonly<Record<string, string>> = {},
): Ask {
  const path = `/shipping/tracking/shipments/${encodeURIComponent(tracking_number)}/notifications`;
  return { method: 'GET', path, query, audience: 'tracking-pull' };
}

/** Endpoint 1 with every object of the interface, for a new shipment. */
export function authorizationAsk(session: Session, change: object = {}): Ask {
  const id = String(session.uniqueNumber());
  return shipmentAsk(id, 'authorization', {
    id, transport_order_id: session.unique('order'), direction: 'forward', keyword: '',
    carrier_information: { contract: 'home_delivery' },
    shipment_information: {
      sender: aUser('BR', '01310-100'),
      receiver: aUser('BR', '01310-200'),
      package: {
        items: [{ item_id: 'i-1', description: 'Lamp', quantity: 2 }],
        dimensions: {
          height: 10.5, width: 20, length: 30, weight: 1_250, volumetric_weight: 1_300,
        },
        amount: 199.9,
      },
    },
    requirements: {
      special_treatments: ['groupable'],
      pickup: { schedule: { from: '2026-11-20T10:00:00Z', to: '2026-11-20T12:00:00-03:00' } },
      delivery: {
        schedule: { from: '2026-11-21T10:00:00Z', to: '2026-11-21T12:00:00Z' },
        affinity_group: 'g-1', delivery_strategy: 'joint_delivery',
        location_metadata: { location_id: 'l-1', has_reception: true, types: ['residence'] },
      },
    },
    ...change,
  });
}

/** Cancellation of what an authorization asked for (decisions). */
export function cancellationAsk(authorization: Ask, change: object = {}): Ask {
  const { id, transport_order_id } = shipmentOf(authorization);
  return shipmentAsk(id, 'cancellation', { id, transport_order_id, reason: 'kit', ...change });
}

/** The two ids of an authorization that was built here. */
export function shipmentOf(ask: Ask): { id: string; transport_order_id: string } {
  return ask.json as { id: string; transport_order_id: string };
}

function shipmentAsk(id: string, what: string, json: object): Ask {
  return { path: `/shipments/${id}/${what}`, audience: 'authorizations', json };
}

function aUser(country: string, zip_code: string) {
  return {
    full_name: 'Ana Souza', first_name: 'Ana', last_name: 'Souza',
    phone: { number: '5511999990000' },
    identification: { type: 'CPF', number: '00000000191' },
    address: {
      street_name: 'Avenida Paulista', street_number: '1000', intersection: '',
      address_line: 'Avenida Paulista 1000', comment: 'Ring twice', zip_code,
      city: { name: 'São Paulo' }, state: { id: 'BR-SP', name: 'São Paulo' },
      country: { id: country, name: 'Brasil' }, neighborhood: { name: 'Centro' }, municipality: {},
      geolocation: {
        geolocation_type: 'ROOFTOP', latitude: -23.55052012, longitude: -46.63330812,
        source: 'kit',
      },
    },
  };
}
