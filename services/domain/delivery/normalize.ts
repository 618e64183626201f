import type {
  DeliveryLocation, DeliveryLocationsBody, DriverDevice, Traceable,
} from '../../../schemas/generated/types.ts';
import type { FieldError } from '../../kernel/http.ts';

/** A body whose `device` and `traceables` are each in one place only, or what contradicts. */
export type NormalizedDelivery =
  | { readonly kind: 'normalized'; readonly body: DeliveryLocationsBody; readonly isChanged: boolean }
  | { readonly kind: 'contradiction'; readonly faults: readonly FieldError[] };

type SharedName = 'device' | 'traceables';

interface Rule<Name extends SharedName> {
  readonly name: Name;
  /** What the interface knows of a value, as text: the same text is the same thing. */
  readonly textOf: (value: NonNullable<DeliveryLocation[Name]>) => string;
  /** False when the value carries unknown fields, which the log must keep. */
  readonly isPlain: (value: NonNullable<DeliveryLocation[Name]>) => boolean;
}

const DEVICE: Rule<'device'> = {
  name: 'device',
  textOf: ({ external_id, external_type }) => JSON.stringify([external_type, external_id]),
  isPlain: hasTwoFields,
};

const TRACEABLES: Rule<'traceables'> = {
  name: 'traceables',
  // A set: nothing in the interface gives the order of traceables a meaning.
  textOf: (list) => JSON.stringify([...new Set(list.map(traceableText))].sort()),
  isPlain: (list) => list.every(hasTwoFields),
};

/**
 * Puts `device` and `traceables` where one reader finds them: at the top level where the top has
 * them or where all locations agree, else in every location. Both places and different is a
 * contradiction, for each such location (decisions.md, Delivery locations).
 */
export function normalizeDelivery(body: DeliveryLocationsBody): NormalizedDelivery {
  const faults = [...contradictions(body, DEVICE), ...contradictions(body, TRACEABLES)];
  if (faults.length > 0) return { kind: 'contradiction', faults };
  const normalized = lifted(lifted(body, DEVICE), TRACEABLES);
  return { kind: 'normalized', body: normalized, isChanged: normalized !== body };
}

/** The driver of one location of a settled or unsettled body; the schema makes sure of one. */
export function driverOf(
  body: DeliveryLocationsBody, location: DeliveryLocation | undefined,
): DriverDevice {
  return body.device ?? location?.device ?? { external_id: '', external_type: '' };
}

/** Pairs of location and traceable: each of them becomes a row (contract DLV-10). */
export function countRows({ traceables, locations }: DeliveryLocationsBody): number {
  let rows = 0;
  for (const location of locations) {
    rows += traceables?.length ?? location.traceables?.length ?? 0;
  }
  return Math.max(rows, 1);
}

function contradictions<Name extends SharedName>(
  body: DeliveryLocationsBody, { name, textOf }: Rule<Name>,
): FieldError[] {
  const top = body[name] as NonNullable<DeliveryLocation[Name]> | undefined;
  if (top === undefined) return [];
  const topText = textOf(top);
  return body.locations.flatMap((location, at): FieldError[] => {
    const own = location[name];
    if (own === undefined || textOf(own) === topText) return [];
    const message = `differs from /${name}.`;
    return [{ pointer: `/locations/${at}/${name}`, code: 'not_allowed', message }];
  });
}

function lifted<Name extends SharedName>(
  body: DeliveryLocationsBody, { name, textOf, isPlain }: Rule<Name>,
): DeliveryLocationsBody {
  const first = body[name] as NonNullable<DeliveryLocation[Name]> | undefined
    ?? body.locations[0]?.[name];
  if (first === undefined) return body;
  const text = textOf(first);
  const owns = body.locations.map((location) => location[name]);
  const isSame = owns.every((own) => (
    own === undefined || (textOf(own) === text && isPlain(own))
  ));
  if (!isSame || owns.every((own) => own === undefined)) return body;
  const locations = body.locations.map((location) => {
    const { [name]: _, ...rest } = location;
    return rest as DeliveryLocation;
  });
  return { ...body, [name]: first, locations };
}

function traceableText({ id, type }: Traceable): string {
  return JSON.stringify([type, id]);
}

function hasTwoFields(value: object): boolean {
  return Object.keys(value).length === 2;
}
