import { isFiniteNumber, isText } from '../../kernel/json-fields.ts';
import type { CountryBox, WarningFacts } from '../../kernel/warnings.ts';
import type { Warn } from './collect.ts';
import type { BodyItem } from './items.ts';

/**
 * Places that cannot be meant: at 0,0, or in the country only with both numbers exchanged. Without
 * a country of its own an item is compared with that of the call, and then only for the exchange:
 * a vehicle may be abroad.
 */
export function warnOfCoordinates(
  items: readonly BodyItem[], callCountry: string | undefined,
  boxesOf: WarningFacts['boxesOf'], warn: Warn,
): void {
  const known = new Map<string, readonly CountryBox[]>();
  for (const { pointer, fields } of items) {
    const { latitude, longitude, country_id: own } = fields;
    if (!isFiniteNumber(latitude) || !isFiniteNumber(longitude)) continue;
    if (latitude === 0 && longitude === 0) {
      warn(`${pointer}/latitude`, 'zero_position',
        'latitude and longitude are 0: a receiver without a fix says so. It never becomes a last position.');
      continue;
    }
    const country = isText(own) ? own : callCountry;
    if (country === undefined) continue;
    const boxes = known.get(country) ?? boxesOf(country);
    known.set(country, boxes);
    if (boxes.length === 0 || isIn(boxes, latitude, longitude)) continue;
    if (isIn(boxes, longitude, latitude)) {
      warn(`${pointer}/latitude`, 'swapped_coordinates', `latitude and longitude seem to be exchanged:`
        + ` so the place is in ${country}, and as sent it is not.`);
    } else if (isText(own)) {
      warn(`${pointer}/latitude`, 'outside_country',
        `the place is not in ${country}${signHint(boxes, latitude, longitude)}.`);
    }
  }
}

function isIn(boxes: readonly CountryBox[], latitude: number, longitude: number): boolean {
  return boxes.some(([west, south, east, north]) => (
    west <= longitude && longitude <= east && south <= latitude && latitude <= north
  ));
}

/** A minus that was lost, or that was put before the wrong number. */
function signHint(boxes: readonly CountryBox[], latitude: number, longitude: number): string {
  const signs = [[-1, 1, 'latitude'], [1, -1, 'longitude'], [-1, -1, 'latitude and longitude']] as const;
  const meant = signs.find(([one, other]) => isIn(boxes, one * latitude, other * longitude));
  return meant === undefined ? '' : `; with the other sign of ${meant[2]} it is`;
}
