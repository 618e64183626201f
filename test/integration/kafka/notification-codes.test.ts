import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import base from '../../../schemas/data/notification-codes.json' with { type: 'json' };
import sample from '../../../schemas/data/notification-codes.sample.json' with { type: 'json' };
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { KAFKA_CLIENTS } from '../../../services/adapters/kafka/config.ts';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { codesCommand } from '../../../services/cli/codes/command.ts';
import type { Report } from '../../../services/cli/ports.ts';
import { catalogueAt } from '../../../services/domain/journey/catalogue.ts';
import { cataloguesOf } from '../../../services/domain/journey/read-catalogue.ts';
import { readNotificationCodes } from '../../../services/kernel/read-notification-codes.ts';
import { openLog, otherClient, testTopic, wallClock } from '../../support/kafka-logs.ts';
import { stackEnv } from '../../support/stack.ts';

const schemas = loadSchemas();
const { message_bytes_max } = TOPICS.notificationCodes;

describe.each(KAFKA_CLIENTS)('the catalogue of codes in Kafka by %s', (client) => {
  // As the topic is, but of another name: other tests keep theirs.
  const topic = { ...testTopic(1, 'compact'), message_bytes_max };
  let log: KafkaLog;
  let reading: KafkaLog;
  let nonce = 0;
  beforeAll(async () => {
    const { KAFKA_BROKERS } = stackEnv();
    log = openLog(client, KAFKA_BROKERS, [topic]);
    await log.admin.ensureTopics([topic], 1);
    reading = openLog(otherClient(client), KAFKA_BROKERS, []);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([log, reading].map((each) => each.close(wallClock.nowMs() + 5_000)));
  });

  const rastro = (files: Readonly<Record<string, object>>, ...args: readonly string[]):
  Promise<Report> => codesCommand({
    schemas, clock: wallClock,
    log: {
      append: (record, deadlineMs) => (
        log.recordLog.append({ ...record, topic: topic.name }, deadlineMs)
      ),
    },
    reader: { readToEnd: (_topics, onRecords) => log.reader.readToEnd([topic.name], onRecords) },
    ids: { nonce: () => `codes-${nonce += 1}` } as never,
    readFile: async (path: string) => (
      files[path] === undefined ? undefined : JSON.stringify(files[path])
    ),
  }, args);
  const versions = () => readNotificationCodes(reading.reader, topic.name);

  const large = (count: number): object => ({
    name: 'large',
    codes: Object.fromEntries(Array.from({ length: count }, (_, at) => (
      [`C${String(at).padStart(4, '0')}`, { description: 'x'.repeat(2_000) }]
    ))),
  });

  it('[NOT-49] has every version in the order of the imports, each from its validity on', async () => {
    const agreed = { name: 'agreed', codes: { 'EX-HUB': { status: 'parked' } } };
    expect(await versions()).toEqual([]);
    const beganMs = Date.now();
    expect((await rastro({ sample }, 'import', 'sample', '--lead', '0')).exitCode).toBe(0);
    const second = ['import', 'agreed', '--valid-from', '2099-01-01T00:00Z'];
    expect((await rastro({ agreed }, ...second)).exitCode).toBe(0);

    const found = await versions();
    expect(found.map(({ version, recorded: { name } }) => [version, name]))
      .toEqual([[1, sample.name], [2, 'agreed']]);
    for (const { appendedAtMs } of found) {
      expect(Math.abs(appendedAtMs - beganMs)).toBeLessThan(60_000);
    }
    const catalogues = cataloguesOf(base, found);
    const statusAt = (ms: number): string | undefined => (
      catalogueAt(catalogues, ms).codes.get('EX-HUB')?.status
    );
    expect([
      statusAt(0), statusAt(found[0]!.appendedAtMs), statusAt(Date.parse('2099-01-01T00:00:00Z')),
    ]).toEqual([undefined, 'in_transit', 'parked']);
    expect((await rastro({}, 'ls')).value).toMatchObject([
      { version: 0 }, { version: 1, state: 'valid' }, { version: 2, valid_from: '2099-01-01T00:00:00.000Z' },
    ]);
  });

  it('[NOT-49] takes a version of nearly 2 MiB, and names the place of one that is larger', async () => {
    const before = (await versions()).length;
    const files = { fits: large(1_030), 'too-large': large(1_050) };
    expect(await rastro(files, 'import', 'too-large')).toMatchObject({
      exitCode: 2, lines: [expect.stringMatching(/^\/codes is too large/)],
    });
    expect(await versions()).toHaveLength(before);
    expect((await rastro(files, 'import', 'fits')).exitCode).toBe(0);
    expect(Object.keys((await versions()).at(-1)?.recorded.codes ?? {})).toHaveLength(1_030);
  });
});
