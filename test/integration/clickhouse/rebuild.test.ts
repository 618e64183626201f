import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTableUpkeep } from '../../../services/adapters/clickhouse/table-upkeep.ts';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { compareTables } from '../../../services/workers/rebuild/compare-tables.ts';
import { TABLE_WRITER_LIMITS } from '../../../services/workers/table-writer/config.ts';
import { writeLog } from '../../../services/workers/table-writer/write-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { fakeLogReader } from '../../support/fake-log-reader.ts';
import { aCommand } from '../../support/command-facts.ts';
import { aClient, aRegistration } from '../../support/state-facts.ts';
import { createHistory, post, record, writePosts, type History } from './history.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.now();
const REGISTERED = aRegistration(aClient());
const ISSUED = aCommand('start_tracking', 7);
const noPause = () => Promise.resolve();

function fixes(device: string, dayAgo: number): LogRecord {
  const receivedAtMs = NOW_MS - dayAgo * DAY_MS;
  const at = Math.floor(receivedAtMs / 1_000) - 5;
  return post([0, 1, 2].map((second) => ({
    timestamp: at + second, country_id: 'BR', latitude: 1 + second / 100, longitude: 2,
    telemetry: { timestamp: at + second, speed: 50 + second },
  })), { device, receivedAtMs });
}

describe('A rebuild of the tables with proof', () => {
  const first = fixes('dev-1', 3);
  const log: LogRecord[] = [
    first, fixes('dev-1', 2), fixes('dev-2', 2), fixes('dev-2', 0),
    { ...first, offset: 900n },
    record('rtt.telemetry-events.v1', 'dev-1', {
      post_timestamp: Math.floor(NOW_MS / 1_000), events: [{
        name: 'stop', start_date: new Date(NOW_MS).toISOString(),
        end_date: new Date(NOW_MS).toISOString(), metadata: [],
      }],
    }),
    record('rtt.device-lifecycle.v1', REGISTERED.device_id, REGISTERED),
    record('provider.commands.v1', ISSUED.command_key, ISSUED),
    post([{ timestamp: 'never', country_id: 'BR', latitude: 1, longitude: 1 }]),
  ];
  let live: History;
  let shadow: History;
  beforeAll(async () => {
    [live, shadow] = await Promise.all([createHistory(), createHistory()]);
    // What the log does not hold any more stays, and is no fault.
    await writePosts(live.ingest, [fixes('dev-of-old', 30), ...log]);
  }, 60_000);
  afterAll(() => Promise.all([live.drop(), shadow.drop()]));

  const upkeep = () => createTableUpkeep(live.admin, live.database);
  const write = (history: History, name: string) => writeLog(TABLE_WRITER_LIMITS, {
    reader: fakeLogReader(log), name, sink: history.ingest, signals: silentSignals, digest: sha256,
    clock: { nowMs: () => Date.now() },
  });
  const compare = () => compareTables(
    upkeep(), createTableUpkeep(shadow.admin, shadow.database), shadow.database, noPause,
  );
  const lacking = async () => (await compare()).filter((each) => each.lacking > 0)
    .map(({ table, partition, lacking: rows }) => `${table} ${partition} ${rows}`);

  it('names the partition that is gone, and writing the log again brings its hash back', async () => {
    expect(await write(shadow, 'shadow')).toEqual({ records: log.length, refused: 1 });
    expect(await lacking()).toEqual([]);
    const before = await upkeep().partitions();
    expect(before.filter(({ table }) => table === 'locations')).toHaveLength(4);
    const day = new Date(NOW_MS - 2 * DAY_MS - 5_000).toISOString().slice(0, 10).replaceAll('-', '');
    await live.admin.execute(`ALTER TABLE locations DROP PARTITION ${day}`);
    for (const table of ['telemetry_events', 'device_lifecycle', 'provider_commands']) {
      await live.admin.execute(`ALTER TABLE ${table} DELETE WHERE 1 SETTINGS mutations_sync = 2`);
    }
    expect(await lacking()).toEqual([
      'device_lifecycle all 1', `locations ${day} 6`,
      expect.stringMatching(/^provider_commands \d{6} 1$/),
      expect.stringMatching(/^telemetry_events \d{6} 1$/),
    ]);

    await write(live, 'rebuild-1');
    await write(live, 'rebuild-2');
    expect(await upkeep().partitions()).toEqual(before);
  });

  it('notices one value that was changed', async () => {
    const day = new Date(NOW_MS - 3 * DAY_MS - 5_000).toISOString().slice(0, 10).replaceAll('-', '');
    await live.admin.execute(
      'ALTER TABLE locations UPDATE metadata = map(\'a\', \'b\') WHERE device_id = \'dev-1\''
      + ` AND toYYYYMMDD(ts) = ${day} AND lat_e7 = 10000000 SETTINGS mutations_sync = 2`,
    );
    expect(await lacking()).toEqual([`locations ${day} 1`]);
  });
});
