/** Ids of countries in capitals, each with its canonical one: alpha-2, or the deployment's own. */
export type Countries = ReadonlyMap<string, string>;

const ID = /^[A-Za-z]{2,3}$/;

/** The canonical id of a country as it was sent, in any case; undefined for an unknown one. */
export function countryCodeOf(countries: Countries, sent: string): string | undefined {
  return ID.test(sent) ? countries.get(sent.toUpperCase()) : undefined;
}
