import type { ClientId } from '../../kernel/ids.ts';
import type { ShipmentOwner } from '../../kernel/shipments.ts';
import { canonicalNumber } from './canonical-number.ts';

/** Numbers that a carrier declared as its own, by how they begin. */
export interface NumberRange {
  readonly client_id: ClientId;
  readonly prefixes: readonly string[];
  readonly at_ms: number;
}

/** What outranks what: people, then an authorization, then a declared range. */
const STRENGTH: Readonly<Record<ShipmentOwner['basis'], number>> = {
  range: 1, authorization: 2, reassignment: 3,
};

/**
 * Whose a number is by two sayings, in whatever order they come: the stronger basis counts, of one
 * basis the newest (decisions.md, Whose shipment).
 */
export function strongerOwner(
  one: ShipmentOwner | undefined, other: ShipmentOwner | undefined,
): ShipmentOwner | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const byStrength = STRENGTH[one.basis] - STRENGTH[other.basis];
  const order = byStrength || one.at_ms - other.at_ms || (one.client_id < other.client_id ? -1 : 1);
  return order >= 0 ? one : other;
}

/**
 * The carrier whose declared range a number is in: that with the longest prefix. Two carriers with
 * the same prefix say nothing.
 */
export function ownerByRange(
  ranges: readonly NumberRange[], trackingNumber: string,
): ShipmentOwner | undefined {
  const found = ranges.flatMap(({ client_id, prefixes, at_ms }) => prefixes.map(canonicalNumber)
    .filter((prefix) => prefix !== '' && trackingNumber.startsWith(prefix))
    .map((prefix) => ({ client_id, at_ms, length: prefix.length })));
  const longest = Math.max(0, ...found.map(({ length }) => length));
  const [first, ...others] = found.filter(({ length }) => length === longest);
  if (first === undefined) return undefined;
  if (others.some(({ client_id }) => client_id !== first.client_id)) return undefined;
  return { client_id: first.client_id, basis: 'range', at_ms: first.at_ms };
}
