import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCountryCodes } from '../../../services/adapters/clickhouse/country-codes.ts';
import { knownCountries } from '../../../services/adapters/config/countries.ts';
import { createHistory, openAs, type History } from './history.ts';

let history: History;
beforeAll(async () => { history = await createHistory(); });
afterAll(() => history.drop());

/** The code of a country as the views make it. */
async function codeOf(id: string): Promise<unknown> {
  const [row] = await history.admin.query(
    `SELECT if(joinGet(country_codes, 'code', upper(id)) = '', upper(id),
               joinGet(country_codes, 'code', upper(id))) AS code
     FROM (SELECT {id:String} AS id)`, { id },
  );
  return row?.['code'];
}

describe('[RTT-21] the canonical code of a country', () => {
  it.each([['BR', 'BR'], ['br', 'BR'], ['BRA', 'BR'], ['bra', 'BR'], ['XK', 'XK'], ['UK', 'UK']])(
    'of %s is %s', async (id, code) => {
      expect(await codeOf(id)).toBe(code);
    },
  );

  it('follows what the deployment adds, and a second run writes nothing', async () => {
    await writeCountryCodes(history.admin, knownCountries(['UK=GB', 'BR']));
    expect([await codeOf('uk'), await codeOf('ARG')]).toEqual(['GB', 'AR']);
    const count = async () => (await history.admin.query(
      'SELECT count() AS n FROM country_codes',
    ))[0]?.['n'];
    const before = await count();
    await writeCountryCodes(history.admin, knownCountries(['UK=GB', 'BR']));
    expect(await count()).toEqual(before);
    await writeCountryCodes(history.admin, knownCountries(['UK=UA']));
    expect(await codeOf('UK')).toBe('UA');
  });

  it('is beside what was sent in the views', async () => {
    const rows = await history.admin.query(
      `SELECT table, name FROM system.columns WHERE database = currentDatabase()
         AND startsWith(table, 'v_') AND endsWith(name, 'country_code') ORDER BY table, name`,
    );
    expect(rows.map(({ table, name }) => `${String(table)}.${String(name)}`)).toEqual([
      'v_authorizations.receiver_country_code', 'v_authorizations.sender_country_code',
      'v_device_last.country_code', 'v_locations.country_code', 'v_notifications.country_code',
      'v_telemetry.country_code',
    ]);
    await history.analyst.query('SELECT country_code FROM v_locations');
  });

  it('is found from another database, as all that views name', async () => {
    const { admin, database } = history;
    const views = await admin.query(
      `SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'v_')
         AND position(create_table_query, '{') = 0`,
    );
    expect(views.length).toBeGreaterThan(20);
    const outside = openAs('analyst', 'default');
    try {
      for (const { name } of views) {
        await outside.query(`SELECT * FROM ${database}.${String(name)} LIMIT 0`);
      }
    } finally {
      await outside.close();
    }
  });
});
