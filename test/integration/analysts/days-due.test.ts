import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHistory, type History } from '../clickhouse/history.ts';

const FIXES_MAX = 5_000_000;
const FIXES_OF_A_DAY = 86_400;
const EVERY_SECOND = 2n ** 60n - 1n;

let history: History;
beforeAll(async () => {
  history = await createHistory();
});
afterAll(() => history.drop());

/** Minutes of whole days, with a fix in every second; so their days are marked as well. */
async function drive(devices: string, count: number, daysAgo = 1): Promise<void> {
  await history.admin.execute(`
    INSERT INTO device_minutes (device_id, minute, seconds)
    SELECT '${devices}-' || toString(intDiv(number, 1440)),
           toDateTime(today() - ${daysAgo}, 'UTC') + number % 1440 * 60, ${EVERY_SECOND}
    FROM numbers(${count * 1_440})`);
}

async function due(): Promise<ReadonlySet<string>> {
  const rows = await history.admin.query(
    'SELECT device_id FROM device_days_due WHERE day <= yesterday()',
  );
  return new Set(rows.map((row) => String(row['device_id'])));
}

describe('days that are due', () => {
  it('are all computed at once while their fixes are few', async () => {
    await drive('few', 3);
    expect([...await due()].toSorted()).toEqual(['few-0', 'few-1', 'few-2']);
  });

  it('are computed by turns as soon as they have more than 5 million fixes together', async () => {
    await drive('many', 100);
    const first = await due();
    expect(first.size).toBe(Math.ceil(FIXES_MAX / FIXES_OF_A_DAY));
    await history.admin.execute(`
      INSERT INTO device_day_marks (device_id, day, computed_at)
      SELECT arrayJoin(splitByChar(',', '${[...first].join(',')}')), yesterday(),
             now64(3, 'UTC') + 600`);
    expect(new Set([...first, ...await due()]).size).toBe(103);
  });

  it('are of yesterday and older when more are due than can be computed at once', async () => {
    await drive('late', 100, 5);
    await drive('new', 100);
    const devices = [...await due()];
    const late = devices.filter((device) => device.startsWith('late-')).length;
    expect(late).toBeGreaterThanOrEqual(5);
    expect(devices.length - late).toBeGreaterThanOrEqual(50);
  });
});
