import { knownCountries } from '../../services/adapters/config/countries.ts';
import type { ClickHouse } from '../../services/adapters/clickhouse/clickhouse.ts';

/**
 * Writes the canonical id of every id of a country: all of ISO 3166-1 by alpha-2 and alpha-3, and
 * what the deployment adds (`RASTRO_COUNTRIES`), whichever countries it serves: a location may be
 * in any. Writes only what differs, so that a run which changes nothing leaves the table alone.
 */
export async function writeCountryCodes(
  store: ClickHouse, named: readonly string[],
): Promise<void> {
  const wanted = knownCountries(named);
  const rows = await store.query('SELECT id, code FROM country_codes');
  const known = new Map(rows.map(({ id, code }) => [String(id), String(code)]));
  const missing = [...wanted].filter(([id, code]) => known.get(id) !== code);
  if (missing.length === 0) return;
  // Ids are two or three characters from A to Z; countriesOf refuses any other.
  const values = missing.map(([id, code]) => `('${id}', '${code}')`).join(', ');
  await store.execute(`INSERT INTO country_codes (id, code) VALUES ${values}`);
}
