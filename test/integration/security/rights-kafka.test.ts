import kafkajs, { type Kafka } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { grantsOfCatalog } from '../../../infra/kafka/grants.ts';
import { KAFKA_CLIENTS, type KafkaClient } from '../../../services/adapters/kafka/config.ts';
import { createFetcher } from '../../../services/adapters/kafka/consume/fetcher.ts';
import { reasonOf } from '../../../services/adapters/kafka/errors.ts';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import type { CommitOffset, LogHandler } from '../../../services/kernel/record-log.ts';
import { openLog, until, wallClock } from '../../support/kafka-logs.ts';
import { pipelineOf } from '../../support/pipeline-of.ts';
import { startOwnStack, type OwnStack } from '../../support/own-stack.ts';

const NEEDED = [
  TOPICS.locations, TOPICS.tokens, TOPICS.journey, TOPICS.clients, TOPICS.audit,
];
const [locations, tokens, journey, clients, audit] = NEEDED.map(({ name }) => name) as
  [string, string, string, string, string];
type User = 'gateways' | 'workers' | 'operator';

describe.each(KAFKA_CLIENTS)('who may do what in the log, granted by %s', (granting) => {
  let own: OwnStack;
  const logs: KafkaLog[] = [];

  beforeAll(async () => {
    own = await startOwnStack(['kafka']);
    const admin = openLog(granting, own.env.KAFKA_BROKERS, []);
    await admin.admin.ensureTopics(NEEDED, 1);
    expect(await admin.admin.setGrants(grantsOfCatalog())).toBe(true);
    // A second time changes nothing, and what was granted beyond the catalog is taken away.
    await admin.admin.setGrants([
      ...grantsOfCatalog(), { user: 'gateways', topic: journey, may: ['write'] },
    ]);
    await admin.admin.setGrants(grantsOfCatalog());
    await admin.close(wallClock.nowMs());
  });

  afterAll(async () => {
    await Promise.all(logs.map((log) => log.close(wallClock.nowMs() + 1_000)));
    await own.close();
  });

  const passwordOf = (user: User): string => ({
    gateways: own.env.KAFKA_GATEWAYS_PASSWORD, workers: own.env.KAFKA_WORKERS_PASSWORD,
    operator: own.env.KAFKA_OPERATOR_PASSWORD,
  })[user];

  const logAs = (client: KafkaClient, user: User): KafkaLog => {
    const log = openLog(client, own.env.KAFKA_SASL_BROKERS, NEEDED, {
      sasl: { mechanism: 'PLAIN', username: user, password: passwordOf(user) },
    });
    logs.push(log);
    return log;
  };

  /** `retries` are for what a broker says while it has just got the topic; no right is one. */
  const rawAs = (user: string, password: string, retries = 0): Kafka => new kafkajs.Kafka({
    brokers: own.env.KAFKA_SASL_BROKERS.split(','), clientId: 'test-rights',
    sasl: { mechanism: 'plain', username: user, password }, retry: { retries },
    logLevel: kafkajs.logLevel.NOTHING,
  });

  /** The protocol's name of what the broker answered. */
  const tried = async (doing: () => Promise<unknown>): Promise<string> => {
    try {
      await doing();
      return 'allowed';
    } catch (error) {
      const { type, cause, name } = error as Error & { type?: string; cause?: { type?: string } };
      return type ?? cause?.type ?? name;
    }
  };

  const produce = (user: User, topic: string) => tried(async () => {
    const producer = rawAs(user, passwordOf(user), 5).producer();
    await producer.connect();
    try {
      await producer.send({ topic, messages: [{ key: 'k', value: 'x' }] });
    } finally {
      await producer.disconnect();
    }
  });

  const fetchFrom = (user: User, topic: string, groupId: string) => tried(async () => {
    const consumer = rawAs(user, passwordOf(user)).consumer({ groupId });
    await consumer.connect();
    try {
      await consumer.subscribe({ topic, fromBeginning: true });
      await new Promise<void>((resolve, reject) => {
        consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
        consumer.on(consumer.events.FETCH, () => resolve());
        consumer.run({ eachMessage: async () => undefined }).catch(reject);
      });
    } finally {
      await consumer.disconnect();
    }
  });

  /** A fetch in no group, by its bare request. */
  const fetchOf = async (username: User): Promise<string> => {
    const fetcher = createFetcher({
      brokers: own.env.KAFKA_SASL_BROKERS.split(','), clientId: 'test-fetch', connectMsMax: 5_000,
      requestMsMax: 5_000, sasl: { mechanism: 'PLAIN', username, password: passwordOf(username) },
    }, [locations], { fetchWaitMs: 10, fetchBytesMax: 100_000 });
    const ids = await logAs('platformatic', username).admin.topicIds([locations]);
    const at = { topic: locations, topicId: ids.get(locations) ?? '', partition: 0, next: 0n };
    try {
      for (const [node, places] of await fetcher.byLeader([at])) await fetcher.fetch(node, places);
      return 'allowed';
    } catch (error) {
      return reasonOf(error);
    } finally {
      await fetcher.close();
    }
  };

  describe.each(KAFKA_CLIENTS)('with %s', (client) => {
    it('a gateway writes its topics and a worker reads them as a member of its group', async () => {
      const key = `k-${client}`;
      await logAs(client, 'gateways').recordLog.append({
        topic: locations, key, value: Buffer.from('{}'), headers: { n: '1' },
      }, wallClock.nowMs() + 20_000);
      const workers = logAs(client, 'workers');
      const seen: string[] = [];
      const handler: LogHandler = {
        onAssigned: async () => undefined,
        onRevoked: async () => undefined,
        onRecords: async (records): Promise<readonly CommitOffset[]> => {
          for (const record of records) if ('key' in record) seen.push(record.key);
          return records.map(({ topic, partition, offset }) => (
            { topic, partition, nextOffset: offset + 1n }
          ));
        },
      };
      const consumer = workers.consumer(
        { group: `rastro.rights-${client}`, topics: [locations] }, () => undefined,
      );
      await consumer.start(handler);
      await until('the record of the gateway', () => seen.includes(key), 20_000);
      await consumer.stop();
    });

    it('the operator reads whole topics and writes clients', async () => {
      const operator = logAs(client, 'operator');
      await operator.recordLog.append({
        topic: clients, key: `c-${client}`, value: Buffer.from('{}'), headers: {},
      }, wallClock.nowMs() + 20_000);
      const keys: string[] = [];
      await operator.reader.readToEnd([clients], async (records) => {
        for (const record of records) if ('key' in record) keys.push(record.key);
      });
      expect(keys).toContain(`c-${client}`);
    });
  });

  it('a gateway writes no topic of the workers or the operator, a worker none of the gateways',
    async () => {
      expect(await produce('gateways', tokens)).toBe('allowed');
      expect(await produce('gateways', journey)).toBe('TOPIC_AUTHORIZATION_FAILED');
      expect(await produce('gateways', clients)).toBe('TOPIC_AUTHORIZATION_FAILED');
      expect(await produce('workers', journey)).toBe('allowed');
      expect(await produce('workers', tokens)).toBe('TOPIC_AUTHORIZATION_FAILED');
      expect(await produce('workers', clients)).toBe('TOPIC_AUTHORIZATION_FAILED');
    });

  it('the audit takes records of the operator alone, and loses none', async () => {
    expect(await produce('operator', audit)).toBe('allowed');
    expect(await produce('workers', audit)).toBe('TOPIC_AUTHORIZATION_FAILED');
    expect(await produce('gateways', audit)).toBe('TOPIC_AUTHORIZATION_FAILED');
    const admin = rawAs('operator', passwordOf('operator')).admin();
    await admin.connect();
    const answers = [
      await tried(() => admin.deleteTopics({ topics: [audit] })),
      await tried(() => admin.deleteTopicRecords({
        topic: audit, partitions: [{ partition: 0, offset: '-1' }],
      })),
      await tried(() => admin.alterConfigs({
        validateOnly: false,
        resources: [{
          type: kafkajs.ConfigResourceTypes.TOPIC, name: audit,
          configEntries: [{ name: 'retention.ms', value: '1' }],
        }],
      })),
    ];
    await admin.disconnect();
    expect(answers.filter((answer) => answer === 'allowed')).toEqual([]);
    const log = openLog('platformatic', own.env.KAFKA_BROKERS, []);
    logs.push(log);
    const ranges = await log.admin.ranges([audit]);
    expect(ranges.filter(({ end }) => end > 0n).map(({ start }) => start)).toEqual([0n]);
    // A tombstone deletes nothing there, since the topic is not compacted.
    expect(TOPICS.audit.cleanup).toBe('delete');
  });

  it('a gateway reads nothing, in no group', async () => {
    expect(await fetchFrom('workers', locations, 'rastro.y')).toBe('allowed');
    expect(await fetchFrom('workers', locations, 'other')).toMatch(/Group|GROUP/);
    expect(await fetchFrom('gateways', locations, 'rastro.x')).toMatch(/Group|GROUP/);
    expect(await fetchFrom('gateways', locations, 'own')).toMatch(/Group|GROUP/);
    expect(await fetchOf('workers')).toBe('allowed');
    expect(await fetchOf('gateways')).toBe('TOPIC_AUTHORIZATION_FAILED');
  });

  it.each(['gateways', 'workers', 'operator'] as const)(
    '%s makes, changes and deletes no topic, and grants nothing', async (user) => {
      const admin = rawAs(user, passwordOf(user)).admin();
      await admin.connect();
      const resources = [{
        type: kafkajs.ConfigResourceTypes.TOPIC, name: locations,
        configEntries: [{ name: 'retention.ms', value: '1' }],
      }];
      const grant = {
        resourceType: kafkajs.AclResourceTypes.TOPIC, resourceName: journey,
        resourcePatternType: kafkajs.ResourcePatternTypes.LITERAL, host: '*',
        principal: `User:${user}`, operation: kafkajs.AclOperationTypes.WRITE,
        permissionType: kafkajs.AclPermissionTypes.ALLOW,
      };
      expect([
        await tried(() => admin.createTopics({ topics: [{ topic: `new-${user}` }] })),
        await tried(() => admin.deleteTopics({ topics: [locations] })),
        await tried(() => admin.alterConfigs({ validateOnly: false, resources })),
        await tried(() => admin.deleteTopicRecords({
          topic: locations, partitions: [{ partition: 0, offset: '-1' }],
        })),
        await tried(() => admin.createAcls({ acl: [grant] })),
      ].map((answer) => answer === 'allowed')).toEqual([false, false, false, false, false]);
      await admin.disconnect();
      const log = openLog('platformatic', own.env.KAFKA_BROKERS, []);
      logs.push(log);
      expect((await log.admin.ranges([locations])).length).toBe(TOPICS.locations.partitions);
    });

  it.each([
    ['the analyst, who has no user here', 'analyst', 'x'],
    ['a user with a wrong password', 'gateways', 'wrong'],
    ['an empty password', 'workers', ''],
  ])('lets %s not in', async (_who, user, password) => {
    const admin = rawAs(user, password).admin();
    expect(await tried(() => admin.connect())).toMatch(/SASL|Authentication|NonRetriable/);
  });

  it.each(KAFKA_CLIENTS)('who shows the pipeline sees with %s how far all is, and reads no more', async (client) => {
    const gateways = logAs(client, 'gateways');
    const pipeline = pipelineOf(gateways, new Map([[`rastro.rights-${client}`, 'tables']]));
    const admin = openLog(granting, own.env.KAFKA_BROKERS, []);
    logs.push(admin);
    await admin.admin.setGrants(grantsOfCatalog());
    const before = await pipeline.read();
    expect(before.topics?.map(({ topic }) => topic)).not.toContain(journey);
    expect(before.workers).toMatchObject([{ topics: [] }]);

    await admin.admin.setGrants(grantsOfCatalog('gateways'));
    for (let nth = 0; nth < 5; nth += 1) {
      await gateways.recordLog.append({
        topic: locations, key: 'k', value: Buffer.from('{}'), headers: { n: '1' },
      }, wallClock.nowMs() + 20_000);
    }
    pipeline.later(5_000);
    const figures = await pipeline.read();
    expect(figures).toMatchObject({ unasked: [] });
    expect(figures.topics?.map(({ topic }) => topic).toSorted())
      .toEqual(NEEDED.map(({ name }) => name).toSorted());
    expect(figures.topics?.find(({ topic }) => topic === locations)?.inMinute)
      .toBeGreaterThanOrEqual(5);
    const worker = figures.workers?.find(({ group }) => group === `rastro.rights-${client}`);
    expect(worker).toMatchObject({ members: 0, topics: [{ topic: locations }] });
    expect(worker?.records).toBeGreaterThanOrEqual(5);
    expect(worker?.seconds).toBeGreaterThan(0);
    expect(await fetchFrom('gateways', audit, 'rastro-read-x')).not.toBe('allowed');
    await admin.admin.setGrants(grantsOfCatalog());
  });

  it('asks every client of that listener to log in', async () => {
    const admin = new kafkajs.Kafka({
      brokers: own.env.KAFKA_SASL_BROKERS.split(','), retry: { retries: 0 },
      logLevel: kafkajs.logLevel.NOTHING,
    }).admin();
    expect(await tried(async () => {
      await admin.connect();
      await admin.listTopics();
    })).not.toBe('allowed');
    await admin.disconnect();
  });
});
