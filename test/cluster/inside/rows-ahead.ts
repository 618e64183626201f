/** Counts locations that were received later than it is now, by the clock of the tables. */
import { answer } from '../../containers/inside/answer.ts';
import { openTables, type TableUser } from '../../containers/inside/tables.ts';

interface Question extends TableUser {
  readonly aheadMs: number;
}

await answer<Question>(async ({ aheadMs, ...user }) => {
  const [found] = await openTables(user).query(
    `SELECT count() AS rows FROM v_locations
     WHERE received_at > now64(3) + toIntervalMillisecond({aheadMs:Int64})`, { aheadMs },
  );
  return { rows: Number(found?.['rows'] ?? 0) };
});
