import type { Digest } from '../kernel/digest.ts';
import { expiryOf, FINISHED_MS } from '../kernel/lifetimes.ts';
import type { ShipmentJourney } from '../kernel/shipments.ts';
import type { StateEntry, StateKey, StateStore } from '../kernel/state-store.ts';
import { authorizationKey } from './authorizations.ts';
import { FROM_THE_LOG } from './fold-facts.ts';
import { referencesIn, shipmentNumbersKeys, shipmentOrdersKey } from './shipment-index.ts';
import { transactEach, type Work } from './transact.ts';

/** What is over: where its authorizations are listed, and when the last word about it came. */
interface Finished {
  readonly number: string;
  readonly orders: StateKey;
  readonly endedMs: number;
}

/**
 * Lets the authorizations of shipments with a final status leave 30 days after their last
 * notification, with what lists them. An order that has another number by now stays: that shipment
 * is not over.
 */
export async function finishShipments(
  ports: { readonly store: StateStore; readonly digest: Digest },
  journeys: ReadonlyMap<string, ShipmentJourney>,
): Promise<void> {
  const finished = [...journeys].flatMap(([number, { state, received_at_ms }]): Finished[] => (
    state?.final === true
      ? [{ number, orders: shipmentOrdersKey(number), endedMs: received_at_ms }] : []
  ));
  if (finished.length === 0) return;
  const { entries } = await ports.store.read(finished.map(({ orders }) => orders), FROM_THE_LOG);
  const works = finished.flatMap((shipment, at) => worksOf(ports.digest, shipment, entries[at]));
  if (works.length > 0) await transactEach(ports.store, FROM_THE_LOG, works);
}

function worksOf(
  digest: Digest, { number, orders, endedMs }: Finished, entry: StateEntry | undefined,
): readonly Work<undefined>[] {
  const references = referencesIn(entry?.fields);
  if (references.length === 0) return [];
  return [
    leaving(orders, endedMs, () => true),
    ...references.flatMap((reference) => shipmentNumbersKeys(digest, reference))
      .map((key) => leavingAlone(key, endedMs)),
    ...references.flatMap(({ platform_client_id, transport_order_id, epoch }) => (
      platform_client_id === undefined || epoch === undefined ? [] : [leaving(
        authorizationKey(digest, platform_client_id, transport_order_id), endedMs,
        ({ fields }) => fields.get('tracking_number') === number,
      )]
    )),
  ];
}

/** A shipment that has further numbers is listed under its names as long as those. */
function leavingAlone(key: StateKey, endedMs: number): Work<undefined> {
  return {
    keys: [],
    decide: (_, nowMs) => ({
      result: undefined,
      transaction: {
        entries: [],
        members: [{ key, expireAloneAtMs: expiryOf(endedMs, FINISHED_MS, nowMs) }],
      },
    }),
  };
}

function leaving(
  key: StateKey, endedMs: number, isOver: (entry: StateEntry) => boolean,
): Work<undefined> {
  return {
    keys: [key],
    decide([entry], nowMs) {
      if (entry === undefined || entry.version === 0 || !isOver(entry)) {
        return { result: undefined };
      }
      const expireAtMs = expiryOf(endedMs, FINISHED_MS, nowMs);
      return {
        result: undefined,
        transaction: { entries: [{ key, version: entry.version, expireAtMs }] },
      };
    },
  };
}
