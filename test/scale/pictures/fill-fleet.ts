import { minutesAgain } from '../../../services/adapters/clickhouse/minutes-again.ts';
import { closeDays, type FleetFillPorts } from '../fill.ts';
import type { ScaleFleet } from '../fleet-sql.ts';
import { progressOf } from '../progress.ts';

const DAY_S = 86_400;
/** So that a statement has some 400,000 fixes of a fleet of 10,000. */
const PREFIXES = Array.from('0123456789abcdef');

/** The id of a device by its number, in ClickHouse. */
export const DEVICE = 'toString(reinterpretAsUUID(MD5(toString(d))))';

/**
 * Fixes of one day: each minute for eight hours, which begin at another time for each device, and
 * every ten minutes besides. An hour of every twentieth device comes three days late.
 */
const FIXES = `INSERT INTO locations (device_id, ts, lat_e7, lon_e7, country_id, speed, client_id,
    provider, call_country_id, post_ts, received_at, k_rank)
  SELECT ${DEVICE} AS device_id, toDateTime({day:UInt32} + at, 'UTC') AS ts,
         toInt32(-235000000 + d % 200 * 20000 + m * 300), toInt32(-466000000 + d * 700 - m * 200),
         'BR', m % 90, toString(100000000000000 + d % 50), concat('p', toString(d % 5)), 'BR', ts,
         toDateTime64({day:UInt32} + at + 5 + if(d % 20 = 0 AND intDiv(m, 60) = d % 24,
                                                 3 * 86400, 0), 3, 'UTC'),
         bitNot(toUInt64({day:UInt32} + at))
  FROM (SELECT intDiv(number, 1440) AS d, number % 1440 AS m,
               m * 60 + (d * 7 + m * 13) % 60 AS at
        FROM numbers(1440 * {devices:UInt64}))
  WHERE (m + d * 37) % 1440 < 480 OR m % 10 = d % 10`;

/**
 * Fills the fixes of some days and makes their minutes and frames by the statement that erasures
 * use: the chain of inserts would take ten times as long. Days of devices are not computed.
 */
export async function fillFleet(ports: FleetFillPorts, fleet: ScaleFleet): Promise<void> {
  const { store, leaving, print } = ports;
  const refreshes = await store.query(
    'SELECT view FROM system.view_refreshes WHERE database = currentDatabase()',
  );
  for (const { view } of refreshes) await store.execute(`SYSTEM STOP VIEW ${String(view)}`);
  const say = progressOf(print, fleet.days, 'days are in');
  for (let n = 0; n < fleet.days; n += 1) {
    const day = (fleet.firstDay + n) * DAY_S;
    await store.execute(FIXES, { day, devices: fleet.devices });
    for (const prefix of PREFIXES) {
      leaving.throwIfAborted();
      await store.execute(minutesAgain(`ts >= {since:DateTime('UTC')}
        AND ts < {until:DateTime('UTC')} AND startsWith(device_id, {prefix:String})`),
      { since: day, until: day + DAY_S, prefix });
    }
    say(n + 1);
  }
  await closeDays(ports);
}
