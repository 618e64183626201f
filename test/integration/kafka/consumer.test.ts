import { Admin } from '@platformatic/kafka';
import { describe, expect, it } from 'vitest';
import { KAFKA_CLIENTS, type TopicSpec } from '../../../services/adapters/kafka/config.ts';
import type { AnyRecord } from '../../../services/adapters/kafka/frame.ts';
import type { CommitOffset } from '../../../services/kernel/record-log.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { decoded, until, wallClock } from '../../support/kafka-logs.ts';
import { stackEnv } from '../../support/stack.ts';
import {
  append, cleanups, done, filled, member, range, sorted,
} from './consumer-env.ts';

/** What retention does, at once. */
async function removeBefore(topic: TopicSpec, offset: bigint): Promise<void> {
  const admin = new Admin({
    clientId: 'test-retention', bootstrapBrokers: stackEnv().KAFKA_BROKERS.split(','),
  });
  cleanups.push(() => admin.close());
  await admin.deleteRecords({
    topics: [{ name: topic.name, partitions: [{ partition: 0, offset }] }],
  });
}

describe.each(KAFKA_CLIENTS)('a consumer by %s', (client) => {
  it('hands every record over once, in order per key, and goes on where it stopped', async () => {
    const { topic, writer, group } = await filled(client, 4, 300);
    const first = await member(client, { group, topics: [topic.name], batchRecordsMax: 50 });
    await until('all are read', () => first.seen.numbers.length >= 300);
    expect(sorted(first.seen.numbers)).toEqual(range(300));
    for (const key of range(10)) {
      const ofKey = first.seen.numbers.filter((number) => number % 10 === key);
      expect(ofKey).toEqual(sorted(ofKey));
    }
    expect(first.seen.calls).toBeGreaterThanOrEqual(6);
    await first.consumer.stop();
    expect(first.seen.story).toEqual(['assigned', 'revoked']);
    await append(writer, topic, 300, 310);
    const second = await member(client, { group, topics: [topic.name] });
    await until('the rest is read', () => second.seen.numbers.length >= 10);
    expect(sorted(second.seen.numbers)).toEqual(range(310).slice(300));
  });

  it('hands the same records over again while the handler rejects with a fault', async () => {
    const { topic, group } = await filled(client, 1, 5);
    const attempts: number[] = [];
    const { seen } = await member(
      client,
      { group, topics: [topic.name], backoffMsMin: 10, backoffMsMax: 20 },
      async (records) => {
        attempts.push(records.length);
        if (attempts.length < 4) throw new Unavailable('sink_unavailable', 'insert', 'as asked');
        return done(records);
      },
    );
    await until('it was handled', () => seen.numbers.length >= 5);
    expect(attempts).toEqual([5, 5, 5, 5]);
    expect(seen.numbers).toEqual(range(5));
  });

  it('stops at a bug in the handler and commits nothing of that batch', async () => {
    const { topic, group } = await filled(client, 1, 5);
    const { seen, admin } = await member(client, { group, topics: [topic.name] }, async () => {
      throw new TypeError('a bug');
    });
    await until('the crash', () => seen.crash !== undefined);
    expect(seen.crash).toBeInstanceOf(TypeError);
    expect(seen.calls).toBe(1);
    const committed = await admin.committed(group, [topic.name]);
    expect(committed).toEqual(new Map([[`${topic.name}:0`, 0n]]));
  });

  it('commits what the handler returns and nothing else', async () => {
    const { topic, group } = await filled(client, 1, 20);
    const { seen, consumer, admin } = await member(client, {
      group, topics: [topic.name],
    }, async () => [{ topic: topic.name, partition: 0, nextOffset: 7n }]);
    await until('all are read', () => seen.numbers.length >= 20);
    await consumer.stop();
    const committed = await admin.committed(group, [topic.name]);
    expect(committed).toEqual(new Map([[`${topic.name}:0`, 7n]]));
  });

  it('finishes and commits its batch before another member gets the partition', async () => {
    const { topic, group } = await filled(client, 4, 400);
    const config = { group, topics: [topic.name], batchRecordsMax: 20 };
    const handled: number[] = [];
    const slow = async (records: readonly AnyRecord[]): Promise<readonly CommitOffset[]> => {
      await new Promise((resolve) => { setTimeout(resolve, 40); });
      handled.push(...decoded(records).map(({ value }) => Number(value.toString())));
      return done(records);
    };
    const first = await member(client, config, slow);
    await until('a start', () => handled.length > 0);
    const second = await member(client, config, slow);
    await until('all are handled', () => new Set(handled).size >= 400);
    expect(handled).toHaveLength(400);
    expect(second.seen.assignments.at(-1)).toBe(2);
    expect(first.seen.assignments).toEqual([4, 2]);
    expect(first.seen.story).toEqual(['assigned', 'revoked', 'assigned']);
  });

  it('stops rather than skip records that retention has removed', async () => {
    const { topic, group } = await filled(client, 1, 30);
    const first = await member(client, { group, topics: [topic.name] }, async (records) => (
      [{ topic: topic.name, partition: records[0]?.partition ?? 0, nextOffset: 10n }]
    ));
    await until('a commit', () => first.seen.numbers.length >= 30);
    await first.consumer.stop();
    await removeBefore(topic, 20n);
    await expect(member(client, { group, topics: [topic.name] }))
      .rejects.toMatchObject({ code: 'OFFSET_OUT_OF_RANGE' });
  });

  it('stops too where it has never read a record, once it has been there', async () => {
    const { topic, writer, group } = await filled(client, 1, 0);
    const first = await member(client, { group, topics: [topic.name] });
    await until('its share', () => first.seen.story.includes('assigned'));
    await first.consumer.stop();
    await append(writer, topic, 0, 30);
    await removeBefore(topic, 20n);
    await expect(member(client, { group, topics: [topic.name] }))
      .rejects.toMatchObject({ code: 'OFFSET_OUT_OF_RANGE' });
  });

  it('stops when retention overtakes it, and keeps its committed position', async () => {
    const { topic, writer, group } = await filled(client, 1, 30);
    const gate = Promise.withResolvers<void>();
    const { seen, admin } = await member(client, {
      group, topics: [topic.name], batchRecordsMax: 5, prefetchBytesMax: 1,
    }, async (records) => {
      await gate.promise;
      return done(records);
    });
    await until('the first batch', () => seen.calls > 0);
    await append(writer, topic, 30, 60);
    await removeBefore(topic, 50n);
    gate.resolve();
    await until('the crash', () => seen.crash !== undefined);
    expect(seen.crash).toMatchObject({ code: 'OFFSET_OUT_OF_RANGE' });
    expect(seen.numbers).toEqual(range(30));
    const committed = await admin.committed(group, [topic.name]);
    expect(committed).toEqual(new Map([[`${topic.name}:0`, 30n]]));
  });

  it('hands a record that is not in the wire format on as it is', async () => {
    const { topic, group } = await filled(client, 1, 0);
    const raw = await import('../../support/kafka-raw.ts');
    await raw.sendRaw(stackEnv().KAFKA_BROKERS, topic.name, Buffer.from('not framed'));
    const undecodable: (Buffer | undefined)[] = [];
    await member(client, { group, topics: [topic.name] }, async (records) => {
      undecodable.push(...records.map((record) => (
        'rawValue' in record ? record.rawValue : undefined
      )));
      throw new TypeError('enough');
    });
    await until('it came', () => undecodable.length > 0);
    expect(undecodable[0]?.toString()).toBe('not framed');
  });
});

describe('a consumer by platformatic whose batch takes long', () => {
  it('stays a member until it has committed, though a rebalance waits for longer than its session',
    async () => {
      const { topic, group } = await filled('platformatic', 2, 20);
      const gate = Promise.withResolvers<undefined>();
      const slow = await member('platformatic', { group, topics: [topic.name] },
        async (records) => {
          await gate.promise;
          return done(records);
        });
      await until('it has its batch', () => slow.seen.calls === 1);
      const begunMs = wallClock.nowMs();
      const joining = member('platformatic', { group, topics: [topic.name] });
      await until('its session would be over', () => wallClock.nowMs() - begunMs > 9_000);
      gate.resolve(undefined);
      const next = await joining;
      await until('both have a share', () => next.seen.assignments.at(-1) === 1);
      await until('all are read', () => slow.seen.numbers.length >= 20);
      const committed = await next.admin.committed(group, [topic.name]);
      expect([...committed.values()].reduce((sum, offset) => sum + offset, 0n)).toBe(20n);
      expect(sorted([...slow.seen.numbers, ...next.seen.numbers])).toEqual(range(20));
    });
});
