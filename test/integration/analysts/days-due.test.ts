import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHistory, type History } from '../clickhouse/history.ts';

const FIXES_MAX = 500_000;
const FIXES_OF_AN_HOUR = 3_600;
const DEVICES = 200;
const EVERY_SECOND = 2n ** 60n - 1n;

let history: History;
beforeAll(async () => {
  history = await createHistory();
});
afterAll(() => history.drop());

/** Minutes of a whole hour, with a fix in every second; so their hours are marked as well. */
async function drive(devices: string, count: number, hour: string): Promise<void> {
  await history.admin.execute(`
    INSERT INTO device_minutes (device_id, minute, seconds)
    SELECT '${devices}-' || toString(intDiv(number, 60)), ${hour} + number % 60 * 60,
           ${EVERY_SECOND}
    FROM numbers(${count * 60})`);
}

async function due(isLive: 0 | 1): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return history.admin.query(`
    SELECT device_id, toString(toDate(hour)) AS day, toDate(hour) = today() AS is_today
    FROM device_hours_due(is_live = ${isLive}, pace_s = 300) ORDER BY turn`);
}

describe('hours that are due', () => {
  it('are live for three hours, then older, and those beside them are due as well', async () => {
    await drive('live', 1, "toStartOfHour(now('UTC'))");
    expect(new Set((await due(1)).map((row) => row['device_id']))).toEqual(new Set(['live-0']));
    expect(await due(0)).toEqual([]);
  });

  it('are computed newest day first, as many as half a million fixes', async () => {
    await drive('old', DEVICES, "toDateTime(today() - 5, 'UTC') + 43200");
    await drive('new', 3, "toDateTime(today() - 1, 'UTC') + 36000");
    const rows = await due(0);
    expect(rows.slice(0, 9).every((row) => String(row['device_id']).startsWith('new'))).toBe(true);
    const full = new Set(rows.map((row) => row['device_id'])).size;
    expect(full).toBeLessThanOrEqual(Math.ceil(FIXES_MAX / FIXES_OF_AN_HOUR) + 1);
    expect(full).toBeLessThan(DEVICES);
  });

  it('rest for five minutes after they were computed, but for what comes after these', async () => {
    const mark = (columns: string, values: string) => history.admin.execute(`
      INSERT INTO device_hour_marks (hour, device_id, ${columns})
      SELECT DISTINCT hour, device_id, ${values} FROM device_hour_marks`);
    await mark('computed_at', "now64(3, 'UTC')");
    expect(await due(0)).toEqual([]);
    await mark('first_marked_at, marked_at', "now64(3, 'UTC'), now64(3, 'UTC') + 1");
    expect(await due(0)).toEqual([]);
  });
});
