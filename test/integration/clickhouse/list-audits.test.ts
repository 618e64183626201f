import { describe } from 'vitest';
import { CLICKHOUSE_LIMITS, openClickHouse } from '../../../services/adapters/clickhouse/clickhouse.ts';
import { createAudits } from '../../../services/adapters/clickhouse/audits.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { auditsSuite } from '../../support/audits.suite.ts';
import { stackEnv } from '../../support/stack.ts';
import { createHistory, record, writePosts } from './history.ts';

describe('[GEN-50] audits in the tables, as the gateway reads them', () => {
  auditsSuite(async () => {
    const history = await createHistory();
    const env = stackEnv();
    const pictures = openClickHouse({
      ...CLICKHOUSE_LIMITS, url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_PICTURES_USER,
      password: env.CLICKHOUSE_PICTURES_PASSWORD, database: history.database, resultRowsMax: 10_001,
    }, { signals: silentSignals });
    return {
      audits: createAudits(pictures),
      async record(audits) {
        const records = audits.map((audit) => (
          record('platform.audit.v1', audit.actor, audit, { receivedAtMs: audit.at_ms })));
        // A record that comes again is one audit, as in every table.
        await writePosts(history.ingest, records);
        await writePosts(history.ingest, records);
      },
      async close() {
        await pictures.close();
        await history.drop();
      },
    };
  });
});
