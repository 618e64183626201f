import type { ClickHouse } from '../../services/adapters/clickhouse/clickhouse.ts';
import type { ScaleFleet } from './fleet-sql.ts';
import { EXAMPLES_SQL, parametersOfRest } from './rest/rest-sql.ts';

/** A table and how many rows it holds. */
interface TableRows {
  readonly table: string;
  readonly rows: number;
}

/** What there is to ask of: the fleet, things that questions name, tables and views. */
export interface ToAsk {
  readonly fleet: ScaleFleet;
  /** Parameters of questions about one device, place, shipment or route. */
  readonly examples: Readonly<Record<string, string>>;
  /** The largest first, without those that are empty. */
  readonly tables: readonly TableRows[];
  /** Views that analysts read. */
  readonly views: readonly string[];
}

/** Reads what there is to ask of. */
export async function toAsk(store: ClickHouse, fleet: ScaleFleet): Promise<ToAsk> {
  const { firstDay, days } = fleet;
  const [found] = await store.query(EXAMPLES_SQL, parametersOfRest(fleet, firstDay + days - 2));
  if (found === undefined) throw new Error('The fleet has no route to ask for.');
  const tables = await store.query(`
    SELECT table, sum(p.rows) AS rows FROM system.parts AS p
    WHERE active AND database = currentDatabase() AND p.rows > 0
    GROUP BY table ORDER BY rows DESC, table`);
  const views = await store.query(`
    SELECT name FROM system.tables
    WHERE database = currentDatabase() AND engine = 'View' AND startsWith(name, 'v_')
    ORDER BY name`);
  return {
    fleet, examples: found['examples'] as Readonly<Record<string, string>>,
    tables: tables.map((row) => ({ table: String(row['table']), rows: Number(row['rows']) })),
    views: views.map(({ name }) => String(name)),
  };
}
