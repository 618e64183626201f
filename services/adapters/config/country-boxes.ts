import boxes from '../../../schemas/data/country-boxes.json' with { type: 'json' };
import type { Countries } from '../../kernel/countries.ts';
import { countryCodeOf } from '../../kernel/countries.ts';
import type { CountryBox } from '../../kernel/warnings.ts';

const BOXES = boxes as unknown as Readonly<Record<string, readonly CountryBox[] | undefined>>;

/** Finds the boxes of a country by its id as it was sent; none of one that the table lacks. */
export function countryBoxes(countries: Countries): (countryId: string) => readonly CountryBox[] {
  return function boxesOf(countryId) {
    const code = countryCodeOf(countries, countryId);
    return code === undefined ? [] : BOXES[code] ?? [];
  };
}
