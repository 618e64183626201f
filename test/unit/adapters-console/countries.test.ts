import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { beyondAntimeridian } from '../../../services/adapters/console/browser/antimeridian.ts';
import type { Collection, Polygons, Position } from '../../../services/adapters/console/browser/areas.ts';
import { countryNames } from '../../../services/adapters/console/browser/country-names.ts';

const HALF_TURN_DEGREES = 180;
const ATLAS = 'world-atlas/countries-50m.json';
const load = createRequire(import.meta.url);
const { feature } = load('topojson-client') as {
  readonly feature: (topology: unknown, name: string) => Collection<Polygons>;
};
const countries = feature(load(ATLAS), 'countries');

type Ring = readonly [country: string, points: readonly Position[]];

function ringsOf({ features }: Collection<Polygons>): readonly Ring[] {
  return features.flatMap(({ properties, geometry }) => {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    return polygons.flat().map((ring) => [properties['name'] ?? '', ring] as const);
  });
}

/** Countries with a line that goes back across the map. */
function crossing(areas: Collection<Polygons>): readonly string[] {
  const names = ringsOf(areas).flatMap(([name, ring]) => (
    ring.some(([longitude = 0], at) => (
      Math.abs(longitude - (ring[at - 1]?.[0] ?? longitude)) > HALF_TURN_DEGREES)) ? [name] : []));
  return [...new Set(names)].toSorted();
}

describe('the countries of the map', () => {
  it('have no line back across the map, but that of the continent around a pole', () => {
    expect(crossing(countries)).toEqual(['Antarctica', 'Fiji', 'Russia']);
    expect(crossing(beyondAntimeridian(countries))).toEqual(['Antarctica']);
  });

  it('have their name once, in the middle of their largest part', () => {
    const { features } = countryNames(beyondAntimeridian(countries));
    const names = features.map(({ properties }) => properties['name'] ?? '');
    expect(new Set(names).size).toBe(countries.features.length);
    const placeOf = (name: string): readonly number[] => (
      features[names.indexOf(name)]!.geometry.coordinates.map(Math.round));
    expect([placeOf('Brazil'), placeOf('France'), placeOf('Russia'), placeOf('Fiji')])
      .toEqual([[-53, -11], [2, 47], [100, 62], [178, -18]]);
  });

  it('keep every point where it is, and are closed', () => {
    const [before, after] = [ringsOf(countries), ringsOf(beyondAntimeridian(countries))];
    expect(after.map(([name, ring]) => [name, ring.length]))
      .toEqual(before.map(([name, ring]) => [name, ring.length]));
    for (const [at, [, ring]] of after.entries()) {
      expect(ring.at(-1)).toEqual(ring[0]);
      const moved = ring.filter(([longitude = 0, latitude], point) => {
        const [from = 0, same] = before[at]?.[1][point] ?? [];
        return latitude !== same || Math.abs(longitude - from) % (2 * HALF_TURN_DEGREES) > 1e-9;
      });
      expect(moved).toEqual([]);
    }
  });
});
