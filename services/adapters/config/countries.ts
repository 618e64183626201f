import alpha3 from '../../../schemas/data/countries.json' with { type: 'json' };
import type { Countries } from '../../kernel/countries.ts';

const ID = /^[A-Za-z]{2,3}$/;
const OWN = /^([A-Za-z]{2,3})=([A-Za-z]{2})$/;

/**
 * The countries of a deployment. Without `named` all of ISO 3166-1, by alpha-2 and alpha-3. ISO ids
 * among `named` narrow that list; any other id (`XK`) and any synonym (`UK=GB`) is added to it.
 * Throws for what has not the form of an id.
 */
export function countriesOf(named: readonly string[]): Countries {
  const all = new Map(Object.entries(alpha3).flatMap(([two, three]) => [[two, two], [three, two]]));
  const own = new Map<string, string>();
  const served = new Set<string>();
  for (const text of named) {
    const synonym = OWN.exec(text);
    if (synonym === null && !ID.test(text)) {
      throw new Error(`RASTRO_COUNTRIES: ${text} is neither an id of 2 or 3 characters from A to Z nor ID=ID.`);
    }
    const id = (synonym?.[1] ?? text).toUpperCase();
    const code = synonym?.[2]?.toUpperCase() ?? all.get(id);
    if (synonym === null && code !== undefined) served.add(code);
    else own.set(id, code ?? id);
  }
  const kept = [...all].filter(([, two]) => served.size === 0 || served.has(two));
  return new Map([...kept, ...own]);
}

/**
 * Every country that a body may name: all of ISO 3166-1, and what the deployment adds, whichever
 * it serves. It gives the canonical id of what was stored.
 */
export function knownCountries(named: readonly string[]): Countries {
  return new Map([...countriesOf([]), ...countriesOf(named)]);
}
