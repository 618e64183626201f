/** Deletes the newest stored location, as a fault of the tables would: the account must miss it. */
import { answer } from './answer.ts';
import { openTables, type TableUser } from './tables.ts';

await answer<TableUser>(async (user) => {
  const tables = openTables(user);
  const [one] = await tables.query(
    'SELECT toString(device_id) AS device, toString(ts) AS ts FROM v_locations ORDER BY ts DESC LIMIT 1',
  );
  await tables.execute(
    `ALTER TABLE locations DELETE WHERE device_id = {device:String} AND toString(ts) = {ts:String}
     SETTINGS mutations_sync = 2`, one,
  );
  return one ?? {};
});
