import type { Countries } from '../../kernel/countries.ts';
import type { ClickHouse } from './clickhouse.ts';

/**
 * Writes the canonical id of every id of a country that a location may name. Writes only what
 * differs, so that a run which changes nothing leaves the table alone. A backup does not hold this
 * table: its engine has none.
 */
export async function writeCountryCodes(store: ClickHouse, wanted: Countries): Promise<void> {
  const rows = await store.query('SELECT id, code FROM country_codes');
  const known = new Map(rows.map(({ id, code }) => [String(id), String(code)]));
  const missing = [...wanted].filter(([id, code]) => known.get(id) !== code);
  if (missing.length === 0) return;
  // Ids are two or three characters from A to Z; countriesOf refuses any other.
  const values = missing.map(([id, code]) => `('${id}', '${code}')`).join(', ');
  await store.execute(`INSERT INTO country_codes (id, code) VALUES ${values}`);
}
