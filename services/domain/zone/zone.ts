import type { ZoneRecorded } from '../../../schemas/generated/types.ts';

/** What operators say of a zone; the rest is counted by the platform. */
export type ZoneDraft = Omit<ZoneRecorded, 'type' | 'version' | 'state' | 'at_ms'>;

/** The newest version of a zone; a version that comes again changes nothing. */
export function newestZone(known: ZoneRecorded | undefined, fact: ZoneRecorded): ZoneRecorded {
  return known === undefined || fact.version > known.version ? fact : known;
}

/**
 * The next version of a zone, or undefined when the newest one says the same already: when it holds
 * from another time on, it says the same only if that time was not asked for.
 */
export function drawZone(
  known: ZoneRecorded | undefined, draft: ZoneDraft, isTimed: boolean, atMs: number,
): ZoneRecorded | undefined {
  if (known?.state === 'active' && isSame(known, draft, isTimed)) return undefined;
  return {
    ...draft, type: 'ZoneRecorded', version: (known?.version ?? 0) + 1, state: 'active', at_ms: atMs,
  };
}

/** The version that ends a zone, or undefined when there is none that could end. */
export function removeZone(
  known: ZoneRecorded | undefined, fromMs: number, atMs: number,
): ZoneRecorded | undefined {
  if (known?.state !== 'active') return undefined;
  const { valid_to_ms: _, ...rest } = known;
  return {
    ...rest, version: known.version + 1, state: 'removed', valid_from_ms: fromMs, at_ms: atMs,
  };
}

function isSame(known: ZoneRecorded, draft: ZoneDraft, isTimed: boolean): boolean {
  const saidBy = ({ circle, ...zone }: ZoneDraft): string => JSON.stringify([
    zone.name, zone.kind, zone.owner, zone.polygons, zone.valid_to_ms,
    circle && [circle.latitude, circle.longitude, circle.radius_m],
    isTimed ? zone.valid_from_ms : undefined,
  ]);
  return saidBy(known) === saidBy(draft);
}
