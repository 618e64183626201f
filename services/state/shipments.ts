import type { Digest } from '../kernel/digest.ts';
import type { ShipmentStates } from '../kernel/shipments.ts';
import type { StateStore } from '../kernel/state-store.ts';
import { ownerByRange } from '../domain/journey/owner.ts';
import {
  declaredOwner, storedShipmentOf, withJourney, withoutPast, withParties,
  withReassignment,
} from '../domain/journey/projection.ts';
import { changeShipments } from './change-shipments.ts';
import { findShipments } from './find-shipments.ts';
import { finishShipments } from './finished-shipments.ts';
import { READY } from './fold-facts.ts';
import { NUMBER_RANGES, rangesIn } from './number-ranges.ts';

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
      const { found } = await findShipments(store, [trackingNumber], READY);
      return storedShipmentOf(withoutPast(found[0]?.shipment ?? {}));
    },

    async owners(trackingNumbers) {
      const numbers = [...new Set(trackingNumbers)];
      const { found, beside } = await findShipments(store, numbers, READY, [NUMBER_RANGES]);
      const ranges = rangesIn(beside[0]?.fields);
      return new Map(found.flatMap(({ number, shipment }) => {
        const owner = declaredOwner(shipment, ownerByRange(ranges, number));
        return owner === undefined ? [] : [[number, owner] as const];
      }));
    },

    async authorize(trackingNumber, parties) {
      await changeShipments(ports, [
        { number: trackingNumber, nextOf: (shipment) => withParties(shipment, parties) },
      ]);
    },

    async reassign(fact) {
      await changeShipments(ports, [
        { number: fact.tracking_number, nextOf: (shipment) => withReassignment(shipment, fact) },
      ]);
    },

    async loadJourneys(trackingNumbers, isMarked) {
      const numbers = [...new Set(trackingNumbers)];
      const { found } = await findShipments(store, numbers, { requireReady: isMarked });
      return new Map(found.flatMap(({ number, shipment: { journey } }) => (
        journey === undefined ? [] : [[number, journey] as const]
      )));
    },

    async putJourneys(journeys) {
      await changeShipments(ports, [...journeys].map(([number, journey]) => (
        { number, nextOf: (shipment) => withJourney(shipment, journey) }
      )));
      await finishShipments(ports, journeys);
    },
  };
}
