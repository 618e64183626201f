import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHistory, post, writePosts, type History } from './history.ts';

const DAY_S = 86_400;
/** Noon of a day that is over. */
const NOON = (Math.floor(Date.now() / 1_000 / DAY_S) - 3) * DAY_S + 43_200;
/** Tables of fixes, with a partition for each day of receipt and one for what is late. */
const TABLES = ['locations', 'telemetry', 'device_minutes', 'fixes_by_place'];
let history: History;
beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

const fix = (timestamp: number) => ({
  timestamp, country_id: 'AR', latitude: -23.5, longitude: -46.6,
  telemetry: { timestamp, battery_level: 50 },
});

/** One insert of a fix of the day itself, and of one that is two days late. */
async function insert(second: number): Promise<void> {
  const posts = [post([fix(NOON + second), fix(NOON + second - 2 * DAY_S)], {
    device: `device-${second}`, receivedAtMs: (NOON + second) * 1_000, offset: second,
  })];
  expect(await writePosts(history.ingest, posts)).toEqual([]);
}

const partsOf = async (table: string): Promise<unknown> => history.admin.query(`
  SELECT if(partition = '0', 'late', 'day') AS which, count() AS parts, sum(rows) AS fixes
  FROM system.parts WHERE active AND database = currentDatabase() AND table = {table:String}
  GROUP BY which ORDER BY which`, { table });

it.each([...TABLES, 'delivery_locations'])(
  'merges a partition of %s that got nothing for a day, and only whole', async (table) => {
    const [made] = await history.admin.query(
      `SELECT engine_full FROM system.tables
       WHERE database = currentDatabase() AND name = {table:String}`, { table },
    );
    expect(made?.['engine_full']).toContain('min_age_to_force_merge_seconds = 86400');
    expect(made?.['engine_full']).toContain('min_age_to_force_merge_on_partition_only = 1');
  },
);

it('makes one part of a day once nothing comes for it, and leaves one that grows', async () => {
  for (const second of [1, 2, 3]) await insert(second);
  /** Three fixes; of device_minutes a minute and three frames of each. */
  const partsIn = (table: string, parts: string) => {
    const fixes = table === 'device_minutes' ? '12' : '3';
    return [{ which: 'day', parts, fixes }, { which: 'late', parts, fixes }];
  };
  for (const table of TABLES) {
    expect(await partsOf(table), table).toEqual(partsIn(table, '3'));
    await history.admin.execute(
      `ALTER TABLE ${table} MODIFY SETTING min_age_to_force_merge_seconds = 1`,
    );
    await expect.poll(() => partsOf(table), { timeout: 60_000, interval: 200, message: table })
      .toEqual(partsIn(table, '1'));
  }
}, 300_000);
