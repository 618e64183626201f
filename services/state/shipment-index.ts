import type { Digest } from '../kernel/digest.ts';
import { expiryOf, HISTORY_MS } from '../kernel/lifetimes.ts';
import type {
  ShipmentIndex, ShipmentName, ShipmentReference,
} from '../kernel/shipment-index.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore, StateTransaction } from '../kernel/state-store.ts';
import { FROM_THE_LOG, foldFacts, READY } from './fold-facts.ts';

const NAMES: readonly ShipmentName[] = ['shipment_id', 'transport_order_id'];

/**
 * Authorizations in the shard of their tracking number, and for each shipment and transport order
 * its numbers in the shard of that. Any client may choose these ids, so keys have digests of them.
 * All of it leaves 400 days after the last authorization, that of a finished shipment earlier.
 */
export function createShipmentIndex(
  ports: { readonly store: StateStore; readonly digest: Digest },
): ShipmentIndex {
  const { store, digest } = ports;
  const nameKey = (by: ShipmentName, id: string): StateKey => (
    { shard: shardOf(id), kind: 'shipment-numbers', id: digest(`${by}\0${id}`) }
  );

  function membershipsOf(
    reference: ShipmentReference, nowMs: number,
  ): readonly StateTransaction[] {
    const { tracking_number: member, at_ms: score } = reference;
    return NAMES.map((by) => ({
      entries: [],
      members: [{
        key: nameKey(by, reference[by]), addLeast: [{ member, score }],
        expireAtMs: expiryOf(score, HISTORY_MS, nowMs),
      }],
    }));
  }

  return {
    async add(references) {
      if (references.length === 0) return;
      await foldFacts(
        store, references.map((fact) => ({ key: shipmentOrdersKey(fact.tracking_number), fact })),
        ({ fields }, own, nowMs) => ({
          expireAtMs: expiryOf(lastOf([...referencesIn(fields), ...own]), HISTORY_MS, nowMs),
          fields: {
            ...Object.fromEntries(fields),
            ...Object.fromEntries(own.map((each) => [nameOf(digest, each), JSON.stringify(each)])),
          },
        }),
      );
      const { nowMs } = await store.read(references.slice(0, 1).map(({ tracking_number }) => (
        shipmentOrdersKey(tracking_number)
      )), FROM_THE_LOG);
      await store.commit(references.flatMap((each) => membershipsOf(each, nowMs)), FROM_THE_LOG);
    },

    async ofNumber(trackingNumber) {
      const { entries } = await store.read([shipmentOrdersKey(trackingNumber)], READY);
      return referencesIn(entries[0]?.fields).sort((one, other) => other.at_ms - one.at_ms);
    },

    async find(by, id, after, limit) {
      const members = await store.readMembers([nameKey(by, id)], {
        order: 'falling', max: limit + 1,
        after: after && { score: after.at_ms, member: after.tracking_number },
      });
      const shown = members.slice(0, limit);
      const last = shown.at(-1);
      return {
        trackingNumbers: shown.map(({ member }) => member),
        next: members.length > limit && last !== undefined
          ? { at_ms: last.score, tracking_number: last.member } : undefined,
      };
    },
  };
}

/** One authorization has one name, however often its fact comes. */
function nameOf(digest: Digest, reference: ShipmentReference): string {
  const { platform_client_id, transport_order_id, epoch, call_id } = reference;
  return digest(JSON.stringify([platform_client_id, transport_order_id, epoch, call_id]));
}

function lastOf(references: readonly ShipmentReference[]): number {
  return references.reduce((last, { at_ms }) => Math.max(last, at_ms), 0);
}

/** The authorizations in an entry of {@link shipmentOrdersKey}. */
export function referencesIn(fields: StateFields | undefined): ShipmentReference[] {
  return [...fields?.values() ?? []].map((text) => JSON.parse(text) as ShipmentReference);
}

/** Where the authorizations of a tracking number lie. */
export function shipmentOrdersKey(trackingNumber: string): StateKey {
  return { shard: shardOf(trackingNumber), kind: 'shipment-orders', id: trackingNumber };
}
