import type { Digest } from '../kernel/digest.ts';
import { expiryOf, HISTORY_MS } from '../kernel/lifetimes.ts';
import type { ShipmentJourney, ShipmentStates } from '../kernel/shipments.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import { ownerByRange } from '../domain/journey/owner.ts';
import {
  declaredOwner, lastFactMs, storedShipmentOf, withJourney, withoutPast, withParties,
  withReassignment,
  type ShipmentRecord, type Side,
} from '../domain/journey/projection.ts';
import { jsonIn, numberIn, type NextEntry } from './entries.ts';
import { finishShipments } from './finished-shipments.ts';
import { changing, foldFacts, FROM_THE_LOG, READY } from './fold-facts.ts';
import { NUMBER_RANGES, rangesIn } from './number-ranges.ts';
import { transact } from './transact.ts';

/**
 * Shipments in the shard of their tracking number, with their parties and their journey. One leaves
 * 400 days after the last fact about it, and its authorizations 30 days after its final status.
 */
export function createShipmentStates(
  ports: { readonly store: StateStore; readonly digest: Digest },
): ShipmentStates {
  const { store } = ports;
  return {
    async find(trackingNumber) {
      const { entries } = await store.read([keyOf(trackingNumber)], READY);
      return storedShipmentOf(shipmentIn(entries[0]?.fields));
    },

    async owners(trackingNumbers) {
      const numbers = [...new Set(trackingNumbers)];
      const { entries } = await store.read([NUMBER_RANGES, ...numbers.map(keyOf)], READY);
      const ranges = rangesIn(entries[0]?.fields);
      return new Map(numbers.flatMap((number, at) => {
        const byRange = ownerByRange(ranges, number);
        const owner = declaredOwner(shipmentIn(entries[at + 1]?.fields), byRange);
        return owner === undefined ? [] : [[number, owner] as const];
      }));
    },

    async authorize(trackingNumber, parties) {
      await transact(store, FROM_THE_LOG, changing(
        keyOf(trackingNumber),
        ({ fields }, nowMs) => fieldsOf(withParties(shipmentIn(fields), parties), nowMs),
      ));
    },

    async reassign(fact) {
      await transact(store, FROM_THE_LOG, changing(
        keyOf(fact.tracking_number),
        ({ fields }, nowMs) => fieldsOf(withReassignment(shipmentIn(fields), fact), nowMs),
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

    async putJourneys(journeys) {
      await foldFacts(
        store, [...journeys].map(([number, fact]) => ({ key: keyOf(number), fact })),
        ({ fields }, own, nowMs) => fieldsOf(own.reduce(withJourney, shipmentIn(fields)), nowMs),
      );
      await finishShipments(ports, journeys);
    },
  };
}

function keyOf(trackingNumber: string): StateKey {
  return { shard: shardOf(trackingNumber), kind: 'shipment', id: trackingNumber };
}

function shipmentIn(fields: StateFields | undefined): ShipmentRecord {
  if (fields === undefined) return {};
  return {
    platform: sideIn(fields, 'platform'),
    authorized: sideIn(fields, 'authorized'),
    reassigned: sideIn(fields, 'reassigned'),
    journey: jsonIn<ShipmentJourney>(fields, 'journey'),
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

function fieldsOf(shipment: ShipmentRecord, nowMs: number): NextEntry {
  const { platform, authorized, reassigned, journey } = withoutPast(shipment);
  return {
    expireAtMs: expiryOf(lastFactMs(shipment), HISTORY_MS, nowMs),
    fields: {
      platform: platform?.client_id,
      platform_at_ms: platform?.at_ms,
      authorized: authorized?.client_id,
      authorized_at_ms: authorized?.at_ms,
      reassigned: reassigned?.client_id,
      reassigned_at_ms: reassigned?.at_ms,
      topic_id: journey?.last_notification.topic_id,
      offset: journey?.last_notification.offset,
      journey: journey && JSON.stringify(journey),
    },
  };
}
