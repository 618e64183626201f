import { lastFactMs, withoutPast, type ShipmentRecord, type Side } from '../domain/journey/projection.ts';
import { expiryOf, HISTORY_MS } from '../kernel/lifetimes.ts';
import type { ShipmentJourney } from '../kernel/shipments.ts';
import type { StateFields } from '../kernel/state-store.ts';
import { jsonIn, numberIn, type NextEntry } from './entries.ts';

/** The shipment in an entry of its own. */
export function shipmentIn(fields: StateFields | undefined): ShipmentRecord {
  if (fields === undefined) return {};
  return {
    platform: sideIn(fields, 'platform'),
    authorized: sideIn(fields, 'authorized'),
    reassigned: sideIn(fields, 'reassigned'),
    journey: jsonIn<ShipmentJourney>(fields, 'journey'),
  };
}

/**
 * An entry of its own with a shipment, which leaves 400 days after the last fact about it. Its
 * journey stays however old it is: a rebuild knows the sides before it has folded all
 * notifications, and the next of these decides whether they go on.
 */
export function shipmentFields(shipment: ShipmentRecord, nowMs: number): NextEntry {
  const { platform, authorized, reassigned } = withoutPast(shipment);
  const { journey } = shipment;
  return {
    expireAtMs: expiryOf(lastFactMs(shipment), HISTORY_MS, nowMs),
    fields: {
      platform: platform?.client_id,
      platform_at_ms: platform?.at_ms,
      authorized: authorized?.client_id,
      authorized_at_ms: authorized?.at_ms,
      reassigned: reassigned?.client_id,
      reassigned_at_ms: reassigned?.at_ms,
      journey: journey && JSON.stringify(journey),
    },
  };
}

function sideIn(
  fields: StateFields, name: 'platform' | 'authorized' | 'reassigned',
): Side | undefined {
  const client_id = fields.get(name);
  return client_id === undefined
    ? undefined
    : { client_id, at_ms: numberIn(fields, `${name}_at_ms`) ?? 0 };
}
