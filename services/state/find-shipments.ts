import { unpackFinished } from '../domain/journey/finished.ts';
import type { ShipmentRecord } from '../domain/journey/projection.ts';
import { packedEndMs } from '../kernel/lifetimes.ts';
import { partOfShard, shardOf } from '../kernel/shards.ts';
import type { StateAccess, StateEntry, StateKey, StateStore } from '../kernel/state-store.ts';
import { Unavailable } from '../kernel/unavailable.ts';
import { shipmentIn } from './shipment-fields.ts';
import { readForms, splitPacked, type FoundForms } from './shipment-forms.ts';
import { ROUNDS_MAX } from './transact.ts';

/** Parts of a shard, each an entry with finished shipments: 76 in one of ten million. */
const PARTS = 2_048;

/** A shipment, and the two entries of which one holds it. */
export interface FoundShipment {
  readonly number: string;
  readonly own: StateEntry;
  readonly part: StateEntry;
  readonly shipment: ShipmentRecord;
}

/** What was read about some shipments, in their order. */
export interface FoundShipments {
  readonly nowMs: number;
  readonly found: readonly FoundShipment[];
  /** Other entries, read in the same step. */
  readonly beside: readonly StateEntry[];
}

/** Where a shipment lies alone. */
export function shipmentKey(trackingNumber: string): StateKey {
  return { shard: shardOf(trackingNumber), kind: 'shipment', id: trackingNumber };
}

/** Where a finished shipment lies, packed among others, as the field of its number. */
export function finishedKey(trackingNumber: string): StateKey {
  return {
    shard: shardOf(trackingNumber), kind: 'finished-shipments',
    id: partOfShard(trackingNumber, PARTS).toString(36),
  };
}

/**
 * Finds shipments wherever they lie. The forms of packed ones take a second step; should a wipe
 * have come between the two, both are done again.
 */
export async function findShipments(
  store: StateStore, numbers: readonly string[], access: StateAccess,
  beside: readonly StateKey[] = [],
): Promise<FoundShipments> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { nowMs, entries } = await store.read([
      ...beside,
      ...numbers.flatMap((number) => (
        [shipmentKey(number), { ...finishedKey(number), only: [number] }]
      )),
    ], access);
    const pairs = numbers.flatMap((number, at) => {
      const [own, part] = entries.slice(beside.length + at * 2);
      return own === undefined || part === undefined ? [] : [{ number, own, part }];
    });
    const forms = await readForms(store, pairs.flatMap(({ number, part }) => {
      const packed = part.fields.get(number);
      return packed === undefined ? [] : [{ shard: shardOf(number), ...splitPacked(packed) }];
    }), access);
    const found = pairs.flatMap((pair): FoundShipment[] => {
      const shipment = pair.own.version === 0
        ? packedIn(pair, forms, nowMs) : shipmentIn(pair.own.fields);
      return shipment === undefined ? [] : [{ ...pair, shipment }];
    });
    if (found.length === numbers.length) {
      return { nowMs, found, beside: entries.slice(0, beside.length) };
    }
  }
  throw new Unavailable('state_busy', 'apply', 'a finished shipment has no form');
}

/** Empty when there is none or it has left; undefined when its form is missing. */
function packedIn(
  { number, part }: Pick<FoundShipment, 'number' | 'part'>, forms: FoundForms, nowMs: number,
): ShipmentRecord | undefined {
  const packed = part.fields.get(number);
  if (packed === undefined || packedEndMs(packed) <= nowMs) return {};
  const { name, rest } = splitPacked(packed);
  const form = forms.form(shardOf(number), name);
  return form === undefined ? undefined : unpackFinished({ form, rest });
}
