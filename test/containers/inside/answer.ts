import { text } from 'node:stream/consumers';
import { CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';

/** Addresses that the compose file opens to its own machine. */
export const ADDRESSES = {
  gateways: 'http://127.0.0.1:8080', provider: 'http://127.0.0.1:8090',
  clickhouse: 'http://127.0.0.1:18123',
} as const;

/** Reads a question from standard input, and writes the answer as JSON to standard output. */
export async function answer<Question>(
  work: (question: Question) => Promise<object>,
): Promise<never> {
  const given = await work(JSON.parse(await text(process.stdin)) as Question);
  await new Promise((resolve) => { process.stdout.write(JSON.stringify(given), resolve); });
  process.exit(0);
}

/** Who asks ClickHouse. */
export interface TableUser {
  readonly user: string;
  readonly password: string;
}

/** Opens the tables of the containers for one user. */
export function openTables({ user, password }: TableUser): ClickHouse {
  return openClickHouse({
    ...CLICKHOUSE_LIMITS, url: ADDRESSES.clickhouse, database: 'tracking', user, password,
  }, { signals: silentSignals });
}
