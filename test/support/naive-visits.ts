import { metersBetween } from './meters-between.ts';
import type { NaiveFix } from './naive-fix.ts';

type Place = readonly [longitude: number, latitude: number];
type Ring = readonly Place[];

/** A version of a zone; times are epoch seconds. */
export interface NaiveZone {
  readonly zone_id: string;
  readonly version: number;
  readonly state: 'active' | 'removed';
  readonly circle?: {
    readonly latitude: number; readonly longitude: number; readonly radius_m: number;
  };
  readonly polygons?: readonly (readonly Ring[])[];
  readonly from: number;
  readonly to?: number;
}

/** A visit as v_visits shows it. */
export interface NaiveVisit {
  readonly zone_id: string;
  readonly enter: number;
  leave: number;
  fixes: number;
  silent_s: number;
  open: boolean;
}

const APART_S_MAX = 120;
const SILENCE_S = 900;
const VISIT_S_MIN = 60;

/** The visits of one device by one walk over all its fixes, written without a look at the SQL. */
export function naiveVisits(
  sent: readonly NaiveFix[], versions: readonly NaiveZone[],
): readonly NaiveVisit[] {
  const fixes = onePerSecond(sent);
  const visits: NaiveVisit[] = [];
  for (const [zone_id, of] of Map.groupBy(versions, (version) => version.zone_id)) {
    let current: NaiveVisit | undefined;
    let wasOutside = true;
    for (const fix of fixes) {
      const version = holding(of, fix.ts);
      if (version === undefined || version.state === 'removed' || !isInside(version, fix)) {
        wasOutside = true;
        continue;
      }
      const apart = fix.ts - (current?.leave ?? Number.NEGATIVE_INFINITY);
      if (current === undefined || (wasOutside && apart > APART_S_MAX)) {
        current = { zone_id, enter: fix.ts, leave: fix.ts, fixes: 0, silent_s: 0, open: false };
        visits.push(current);
      } else if (apart > SILENCE_S) {
        current.silent_s += apart;
      }
      current.leave = fix.ts;
      current.fixes += 1;
      current.open = fix === fixes.at(-1);
      wasOutside = false;
    }
  }
  return visits.filter(({ enter, leave }) => leave - enter >= VISIT_S_MIN);
}

/** The version that holds at a time: an earlier one ends where a later one begins. */
function holding(versions: readonly NaiveZone[], at: number): NaiveZone | undefined {
  return versions.find((version) => (
    version.from <= at && at < (version.to ?? Number.POSITIVE_INFINITY)
    && versions.every((later) => later.version <= version.version || at < later.from)
  ));
}

function isInside({ circle, polygons = [] }: NaiveZone, fix: NaiveFix): boolean {
  if (circle !== undefined) return metersBetween(circle, fix) <= circle.radius_m;
  return polygons.some(([outer = [], ...holes]) => (
    isInRing(outer, fix) && !holes.some((hole) => isInRing(hole, fix))
  ));
}

/** Counts the sides of the ring that lie to the east. */
function isInRing(ring: Ring, { latitude, longitude }: NaiveFix): boolean {
  let crossings = 0;
  for (const [index, [x, y]] of ring.entries()) {
    const [x0, y0] = ring[index - 1] ?? ring.at(-1) ?? [0, 0];
    if (y > latitude === y0 > latitude) continue;
    if (longitude < x + (x0 - x) * (latitude - y) / (y0 - y)) crossings += 1;
  }
  return crossings % 2 === 1;
}

function onePerSecond(sent: readonly NaiveFix[]): readonly NaiveFix[] {
  const seconds = new Map<number, NaiveFix>();
  for (const fix of sent) {
    const other = seconds.get(fix.ts);
    if (other === undefined || fix.latitude < other.latitude
      || (fix.latitude === other.latitude && fix.longitude < other.longitude)) {
      seconds.set(fix.ts, fix);
    }
  }
  return [...seconds.values()].sort((a, b) => a.ts - b.ts);
}
