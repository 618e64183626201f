import { Admin, Connection, offsetCommitV9 } from '@platformatic/kafka';
import { describe, expect, it } from 'vitest';
import { commitMetadata } from '../../../services/adapters/kafka/commit-metadata.ts';
import { KAFKA_CLIENTS, type KafkaClient, type TopicSpec } from
  '../../../services/adapters/kafka/config.ts';
import { openLog, otherClient, until, wallClock } from '../../support/kafka-logs.ts';
import { stackEnv } from '../../support/stack.ts';
import { append, cleanups, filled, member, range } from './consumer-env.ts';

/** Deletes the topic and makes it again under its name, with `count` records. */
async function remake(client: KafkaClient, topic: TopicSpec, count: number): Promise<void> {
  const admin = new Admin({
    clientId: 'test-remake', bootstrapBrokers: stackEnv().KAFKA_BROKERS.split(','),
  });
  cleanups.push(() => admin.close());
  await admin.deleteTopics({ topics: [topic.name] });
  const log = openLog(otherClient(client), stackEnv().KAFKA_BROKERS, [topic]);
  cleanups.push(() => log.close(wallClock.nowMs()));
  await log.admin.ensureTopics([topic], 1);
  await append(log, topic, 0, count);
}

/** Commits from outside of the group: as tools of Kafka do, without metadata, or with it. */
async function commitFromOutside(
  group: string, topic: string, next: bigint, metadata: string | null = null,
): Promise<void> {
  const [host = '', port = ''] = stackEnv().KAFKA_BROKERS.split(',', 1).join().split(':');
  const connection = new Connection('test-commit');
  await connection.connect(host, Number(port));
  await offsetCommitV9.api.async(connection, group, -1, '', null, [{
    name: topic,
    partitions: [{
      partitionIndex: 0, committedOffset: next, committedLeaderEpoch: -1,
      committedMetadata: metadata,
    }],
  }]);
  await connection.close();
}

describe.each(KAFKA_CLIENTS)('a commit of a consumer by %s', (client) => {
  it('[GEN-47] reads a topic that was made again from its first record, and says so', async () => {
    const { topic, group } = await filled(client, 1, 30);
    const first = await member(client, { group, topics: [topic.name] });
    await until('all are read', () => first.seen.numbers.length >= 30);
    await first.consumer.stop();
    const former = (await first.admin.topicIds([topic.name])).get(topic.name) ?? '';
    await remake(client, topic, 40);
    // Kafka forgets the commits of a deleted topic; this one lands in the new one just after.
    await commitFromOutside(group, topic.name, 30n, commitMetadata(former));
    expect(await first.admin.commits(group, [topic.name]))
      .toEqual({ offsets: new Map(), former: [topic.name] });
    const second = await member(client, { group, topics: [topic.name] });
    await until('all of the new one are read', () => second.seen.numbers.length >= 40);
    expect(second.seen).toMatchObject({ numbers: range(40), remade: [topic.name] });
    await second.consumer.stop();
    expect(await second.admin.commits(group, [topic.name]))
      .toEqual({ offsets: new Map([[`${topic.name}:0`, 40n]]), former: [] });
  });

  it('[GEN-47] reads on in a topic that is made again while it reads, and says so', async () => {
    const { topic, group } = await filled(client, 1, 30);
    const { seen, consumer, admin } = await member(client, { group, topics: [topic.name] });
    await until('all are read', () => seen.numbers.length >= 30);
    await remake(client, topic, 40);
    await until('all of the new one are read', () => seen.numbers.length >= 70);
    expect(seen).toMatchObject({
      numbers: [...range(30), ...range(40)], remade: [topic.name], crash: undefined,
    });
    await consumer.stop();
    expect(await admin.commits(group, [topic.name]))
      .toEqual({ offsets: new Map([[`${topic.name}:0`, 40n]]), former: [] });
  });

  it('[GEN-47] trusts commits of the other client, and those that name no topic', async () => {
    const { topic, writer, group } = await filled(client, 1, 30);
    const first = await member(otherClient(client), { group, topics: [topic.name] });
    await until('all are read', () => first.seen.numbers.length >= 30);
    await first.consumer.stop();
    await append(writer, topic, 30, 35);
    const second = await member(client, { group, topics: [topic.name] });
    await until('the rest is read', () => second.seen.numbers.length >= 5);
    expect(second.seen.numbers).toEqual(range(35).slice(30));
    await second.consumer.stop();
    await commitFromOutside(group, topic.name, 33n);
    const third = await member(client, { group, topics: [topic.name] });
    await until('it goes on there', () => third.seen.numbers.length >= 2);
    expect(third.seen.numbers).toEqual([33, 34]);
  });
});
