import { packFinished } from '../domain/journey/finished.ts';
import { lastFactMs, withoutPast, type ShipmentRecord } from '../domain/journey/projection.ts';
import type { Digest } from '../kernel/digest.ts';
import { HISTORY_MS } from '../kernel/lifetimes.ts';
import { shardOf } from '../kernel/shards.ts';
import { formName } from './shipment-forms.ts';

/** A finished shipment as a part of its shard has it. */
export interface PackedShipment {
  readonly shard: number;
  /** The form that it shares with others of the shard, and the name of that. */
  readonly name: string;
  readonly form: string;
  /** The name, then what is its own. */
  readonly text: string;
}

/** Long texts of carriers stay alone: one of them would unpack all that are beside it. */
const NUMBER_LENGTH = { min: 2, max: 64 } as const;
const TEXT_LENGTH_MAX = 128;

/**
 * Packs a finished shipment; undefined for one that lies alone. One whose end has come already,
 * as in a rebuild, does so for its days of grace.
 */
export function packShipment(
  digest: Digest, number: string, shipment: ShipmentRecord, nowMs: number,
): PackedShipment | undefined {
  const isUsual = number.length >= NUMBER_LENGTH.min && number.length <= NUMBER_LENGTH.max;
  if (!isUsual || lastFactMs(shipment) + HISTORY_MS <= nowMs) return undefined;
  const packed = packFinished(withoutPast(shipment));
  if (packed === undefined || packed.rest.length > TEXT_LENGTH_MAX) return undefined;
  const name = formName(digest, packed.form);
  return { shard: shardOf(number), name, form: packed.form, text: name + packed.rest };
}
