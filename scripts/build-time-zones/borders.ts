import { cellToParent, latLngToCell } from 'h3-js';
import { RESOLUTION, type ZoneClock } from '../../services/adapters/clickhouse/time-zones-file.ts';

type Ring = readonly (readonly [longitude: number, latitude: number])[];

/** Zones in one square of the index of geo-tz, cut at its edges. */
export interface IndexSquare {
  readonly features: readonly {
    readonly properties: { readonly tzid: string };
    readonly geometry:
      | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
      | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };
  }[];
}

/** What passes through a cell: the zones of the borders, and how finely it must be divided. */
export interface Border {
  depth: number;
  readonly zones: string[];
}

/** Where zones meet that always show the same time since 2020, nothing is gained by finer cells. */
const DEPTH_SAME_CLOCKS = 6;
/** Where a zone ends at sea. */
const DEPTH_AT_SEA = 5;
const SINCE_S = Date.UTC(2020, 0, 1) / 1_000;
/** Half of a finest cell. */
const STEP_KM = 0.25;
const KM_PER_DEGREE = 111.32;

/** The cells of each resolution through which borders pass. */
export function bordersOf(
  pieces: readonly IndexSquare[], clocks: readonly ZoneClock[],
): readonly ReadonlyMap<string, Border>[] {
  const touched = new Map<string, string[]>();
  for (const piece of pieces) {
    for (const [zone, latitude, longitude] of stepsOf(piece)) {
      const cell = latLngToCell(latitude, longitude, RESOLUTION);
      const zones = touched.get(cell);
      if (zones === undefined) touched.set(cell, [zone]);
      else if (!zones.includes(zone)) zones.push(zone);
    }
  }
  const faces = new Map(clocks.map(({ zone, changes }) => [zone, faceOf(changes)]));
  const byDepth = Array.from({ length: RESOLUTION + 1 }, () => new Map<string, Border>());
  for (const [cell, zones] of touched) {
    const depth = depthOf(zones, faces);
    for (const [above, cells] of byDepth.entries()) {
      if (above <= depth) mark(cells, cellToParent(cell, above), depth, zones);
    }
  }
  return byDepth;
}

function depthOf(zones: readonly string[], faces: ReadonlyMap<string, string>): number {
  if (new Set(zones.map((zone) => faces.get(zone))).size > 1) return RESOLUTION;
  return zones.length > 1 ? DEPTH_SAME_CLOCKS : DEPTH_AT_SEA;
}

function mark(
  cells: Map<string, Border>, cell: string, depth: number, zones: readonly string[],
): void {
  const border = cells.get(cell) ?? { depth, zones: [] };
  cells.set(cell, border);
  border.depth = Math.max(border.depth, depth);
  border.zones.push(...zones.filter((zone) => !border.zones.includes(zone)));
}

/** What a clock shows since 2020, as text. */
function faceOf(changes: ZoneClock['changes']): string {
  const before = changes.findLast(([since]) => since <= SINCE_S)?.[1];
  return [before, ...changes.filter(([since]) => since > SINCE_S)].join(' ');
}

/** Points along all borders of a piece, but for the edges at which it is cut. */
function* stepsOf({ features }: IndexSquare): Generator<[string, number, number]> {
  const polygons = features.flatMap(({ properties: { tzid }, geometry }) => (
    (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates)
      .flatMap((rings) => rings.map((ring): [string, Ring] => [tzid, ring]))
  ));
  const cuts = [0, 1].map((axis) => {
    const values = polygons.flatMap(([, ring]) => ring.map((point) => point[axis] ?? 0));
    return [least(values), -least(values.map((value) => -value))];
  });
  for (const [zone, ring] of polygons) {
    for (const [index, b] of ring.entries()) {
      const a = ring[index - 1];
      if (a === undefined || isCut(a, b, cuts)) continue;
      const steps = Math.max(Math.ceil(kilometers(a, b) / STEP_KM), 1);
      for (let step = 0; step < steps; step += 1) {
        const part = step / steps;
        yield [zone, a[1] + (b[1] - a[1]) * part, a[0] + (b[0] - a[0]) * part];
      }
    }
  }
}

function isCut(a: Ring[0], b: Ring[0], cuts: readonly (readonly number[])[]): boolean {
  return cuts.some((ends, axis) => a[axis] === b[axis] && ends.includes(a[axis] ?? 0));
}

function least(values: readonly number[]): number {
  let found = Number.POSITIVE_INFINITY;
  for (const value of values) found = Math.min(found, value);
  return found;
}

function kilometers(a: Ring[0], b: Ring[0]): number {
  const east = (b[0] - a[0]) * Math.cos(a[1] * Math.PI / 180);
  return Math.hypot(east, b[1] - a[1]) * KM_PER_DEGREE;
}
