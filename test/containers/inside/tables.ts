import {
  CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse,
} from '../../../services/adapters/clickhouse/clickhouse.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { ADDRESSES } from './answer.ts';

/** Who asks ClickHouse. */
export interface TableUser {
  readonly user: string;
  readonly password: string;
  /** Where the tables are; those of the compose file when absent. */
  readonly url?: string;
}

/** Opens the tables of the containers for one user. */
export function openTables({ user, password, url = ADDRESSES.clickhouse }: TableUser): ClickHouse {
  return openClickHouse({
    ...CLICKHOUSE_LIMITS, url, database: 'tracking', user, password,
  }, { signals: silentSignals });
}
