import type {
  ShipmentClaimAnswer, ShipmentConfirmAnswer, ShipmentJourney, ShipmentStates,
} from '../kernel/shipments.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateEntry, StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import {
  confirmReserved, ownershipOf, reserve, storedShipmentOf, withJourney, withParties,
  type ShipmentRecord, type Side,
} from '../domain/journey/projection.ts';
import type { ClaimConfig } from './claims.ts';
import { changeOf, jsonIn, numberIn, type NextEntry } from './entries.ts';
import { changing, foldFacts, FROM_THE_LOG, READY } from './fold-facts.ts';
import { transact, transactEach, transactTogether, type Work } from './transact.ts';

/** Shipments in the shard of their tracking number, with who may notify them and their journey. */
export function createShipmentStates(config: ClaimConfig, store: StateStore): ShipmentStates {
  return {
    async find(trackingNumber) {
      const { entries } = await store.read([keyOf(trackingNumber)], READY);
      return storedShipmentOf(shipmentIn(entries[0]?.fields));
    },

    claim(trackingNumbers, clientId) {
      const keys = [...new Set(trackingNumbers)].map(keyOf);
      return transactTogether<ShipmentClaimAnswer>(store, READY, {
        keys,
        decide: (entries, nowMs) =>
          claimAll(keys, entries, { clientId, nowMs, untilMs: nowMs + config.claimLeaseMs }),
      });
    },

    async confirm(trackingNumbers, clientId) {
      const works = [...new Set(trackingNumbers)].map((number) => confirming(number, clientId));
      const answers = await transactEach(store, READY, works);
      if (answers.includes('foreign')) return 'foreign';
      return answers.includes('unknown') ? 'unknown' : 'owned';
    },

    async authorize(trackingNumber, parties) {
      await transact(store, FROM_THE_LOG, changing(
        keyOf(trackingNumber),
        ({ fields }) => fieldsOf(withParties(shipmentIn(fields), parties)),
      ));
    },

    async loadJourneys(trackingNumbers, isMarked) {
      const numbers = [...new Set(trackingNumbers)];
      const { entries } = await store.read(numbers.map(keyOf), { requireReady: isMarked });
      return new Map(numbers.flatMap((number, at) => {
        const { journey } = shipmentIn(entries[at]?.fields);
        return journey === undefined ? [] : [[number, journey] as const];
      }));
    },

    putJourneys: (journeys) => foldFacts(
      store, [...journeys].map(([number, fact]) => ({ key: keyOf(number), fact })),
      ({ fields }, own) => fieldsOf(own.reduce(withJourney, shipmentIn(fields))),
    ),
  };
}

function keyOf(trackingNumber: string): StateKey {
  return { shard: shardOf(trackingNumber), kind: 'shipment', id: trackingNumber };
}

/** Reserves all that are free, or nothing when one is another's or another is just notifying it. */
function claimAll(
  keys: readonly StateKey[], entries: readonly StateEntry[],
  claim: { readonly clientId: string; readonly nowMs: number; readonly untilMs: number },
) {
  const { clientId, nowMs, untilMs } = claim;
  const shipments = entries.map(({ fields }) => shipmentIn(fields));
  const found = shipments.map((shipment) => ownershipOf(shipment, clientId, nowMs));
  for (const bad of ['foreign', 'busy'] as const) {
    if (found.includes(bad)) return { result: bad, transactions: [] };
  }
  if (!found.includes('free')) return { result: 'owned' as const, transactions: [] };
  const transactions = keys.flatMap((key, at) => {
    const [entry, shipment] = [entries[at], shipments[at]];
    if (found[at] !== 'free' || entry === undefined || shipment === undefined) return [];
    const change = changeOf(key, entry, fieldsOf(reserve(shipment, clientId, untilMs)));
    return change === undefined ? [] : [{ entries: [change] }];
  });
  return { result: 'reserved' as const, transactions };
}

function confirming(trackingNumber: string, clientId: string): Work<ShipmentConfirmAnswer> {
  const key = keyOf(trackingNumber);
  return {
    keys: [key],
    decide([entry], nowMs) {
      const kept = shipmentIn(entry?.fields);
      const { answer, shipment } = confirmReserved(
        kept, clientId, nowMs, entry?.inDoubt !== false,
      );
      const change = entry && changeOf(key, entry, fieldsOf(shipment));
      return { result: answer, transaction: change && { entries: [change] } };
    },
  };
}

function shipmentIn(fields: StateFields | undefined): ShipmentRecord {
  if (fields === undefined) return {};
  const client_id = fields.get('reserved');
  return {
    platform: sideIn(fields, 'platform'),
    authorized: sideIn(fields, 'authorized'),
    carrier: fields.get('carrier'),
    reserved: client_id === undefined
      ? undefined
      : { client_id, until_ms: numberIn(fields, 'reserved_until_ms') ?? 0 },
    reserved_after: fields.get('reserved_after'),
    journey: jsonIn<ShipmentJourney>(fields, 'journey'),
  };
}

function sideIn(fields: StateFields, name: 'platform' | 'authorized'): Side | undefined {
  const client_id = fields.get(name);
  return client_id === undefined
    ? undefined
    : { client_id, at_ms: numberIn(fields, `${name}_at_ms`) ?? 0 };
}

function fieldsOf(shipment: ShipmentRecord): NextEntry {
  const { platform, authorized, carrier, reserved, reserved_after, journey } = shipment;
  return {
    fields: {
      platform: platform?.client_id,
      platform_at_ms: platform?.at_ms,
      authorized: authorized?.client_id,
      authorized_at_ms: authorized?.at_ms,
      carrier,
      reserved: reserved?.client_id,
      reserved_until_ms: reserved?.until_ms,
      reserved_after,
      topic_id: journey?.last_notification.topic_id,
      offset: journey?.last_notification.offset,
      journey: journey && JSON.stringify(journey),
    },
  };
}
