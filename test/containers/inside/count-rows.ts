/** How many locations of how many devices an analyst finds. */
import { answer } from './answer.ts';
import { openTables, type TableUser } from './tables.ts';

await answer<TableUser>(async (user) => {
  const tables = openTables(user);
  const [found] = await tables.query(
    'SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(device_id)) AS devices FROM v_locations',
  );
  return found ?? {};
});
