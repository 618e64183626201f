import type { CountryBox } from '../../services/kernel/warnings.ts';

type Degrees = readonly [number, number];

/** The part of a TopoJSON file that is read: arcs are steps from point to point. */
export interface Topology {
  readonly transform: { readonly scale: Degrees; readonly translate: Degrees };
  readonly arcs: readonly (readonly Degrees[])[];
  readonly objects: {
    readonly countries: { readonly geometries: readonly Geometry[] };
  };
}

type Geometry = {
  /** ISO 3166-1 numeric; what has none is no country of that list. */
  readonly id?: string;
} & (
  | { readonly type: 'Polygon'; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly (readonly (readonly number[])[])[] }
);

/** Coasts are drawn roughly, and who drives along a border is a little behind it at times. */
const MARGIN_DEGREES = 0.5;
/** Islands nearer than this share a box. */
const MERGED_DEGREES = 3;

/** The boxes of every country: one for each part that lies apart, by alpha-2. */
export function boxesOf(
  { transform, arcs, objects }: Topology,
): ReadonlyMap<string, readonly CountryBox[]> {
  const points = arcs.map((arc) => pointsOf(arc, transform));
  const found = new Map<string, readonly CountryBox[]>();
  for (const geometry of objects.countries.geometries) {
    const country = alpha2Of(geometry.id);
    if (country === undefined) continue;
    const polygons = geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs;
    const own = polygons.flatMap(([outer = []]) => (
      boxesAround(outer.flatMap((arc) => points[arc < 0 ? ~arc : arc] ?? []))
    ));
    found.set(country, merged([...found.get(country) ?? [], ...own]).toSorted(bySize));
  }
  return new Map([...found].map(([country, boxes]) => [country, boxes.map(widened)]));
}

/** ICU knows the alias of each number. */
function alpha2Of(numeric: string | undefined): string | undefined {
  if (numeric === undefined || !/^\d{3}$/.test(numeric)) return undefined;
  const [tag = ''] = Intl.getCanonicalLocales(`und-${numeric}`);
  return /^und-([A-Z]{2})$/.exec(tag)?.[1];
}

function pointsOf(
  arc: readonly Degrees[], { scale, translate }: Topology['transform'],
): readonly Degrees[] {
  let [x, y] = [0, 0];
  return arc.map(([right, up]) => {
    [x, y] = [x + right, y + up];
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

/** A border that goes over the 180th meridian has a box on either side. */
function boxesAround(points: readonly Degrees[]): readonly CountryBox[] {
  const whole = boxAround(points);
  if (whole[2] - whole[0] <= 180) return [whole];
  return [
    boxAround(points.filter(([longitude]) => longitude < 0)),
    boxAround(points.filter(([longitude]) => longitude >= 0)),
  ];
}

function boxAround(points: readonly Degrees[]): CountryBox {
  const longitudes = points.map(([longitude]) => longitude);
  const latitudes = points.map(([, latitude]) => latitude);
  return [
    Math.min(...longitudes), Math.min(...latitudes),
    Math.max(...longitudes), Math.max(...latitudes),
  ];
}

/** Joins boxes that are near until none is near to another. */
function merged(boxes: readonly CountryBox[]): readonly CountryBox[] {
  const apart: CountryBox[] = [];
  for (const box of boxes) {
    let grown = box;
    for (let at = apart.findIndex((other) => isNear(grown, other)); at >= 0;) {
      grown = union(grown, apart[at] as CountryBox);
      apart.splice(at, 1);
      at = apart.findIndex((other) => isNear(grown, other));
    }
    apart.push(grown);
  }
  return apart;
}

function isNear(one: CountryBox, other: CountryBox): boolean {
  return one[0] - MERGED_DEGREES <= other[2] && other[0] - MERGED_DEGREES <= one[2]
    && one[1] - MERGED_DEGREES <= other[3] && other[1] - MERGED_DEGREES <= one[3];
}

function union(one: CountryBox, other: CountryBox): CountryBox {
  return [
    Math.min(one[0], other[0]), Math.min(one[1], other[1]),
    Math.max(one[2], other[2]), Math.max(one[3], other[3]),
  ];
}

/** Outwards, to a tenth of a degree. */
function widened([west, south, east, north]: CountryBox): CountryBox {
  return [
    Math.max(-180, Math.floor((west - MARGIN_DEGREES) * 10) / 10),
    Math.max(-90, Math.floor((south - MARGIN_DEGREES) * 10) / 10),
    Math.min(180, Math.ceil((east + MARGIN_DEGREES) * 10) / 10),
    Math.min(90, Math.ceil((north + MARGIN_DEGREES) * 10) / 10),
  ];
}

function bySize(one: CountryBox, other: CountryBox): number {
  return area(other) - area(one);
}

function area([west, south, east, north]: CountryBox): number {
  return (east - west) * (north - south);
}
