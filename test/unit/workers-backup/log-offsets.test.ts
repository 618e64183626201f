import { describe, expect, it } from 'vitest';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';
import type { GroupOffset, LogRange } from '../../../services/kernel/log-watch.ts';
import { tailAfter, tailReader, writtenOffsets } from '../../../services/workers/backup/log-offsets.ts';

const ids = (topics: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  Promise.resolve(new Map(topics.map((topic) => [topic, `${topic}-id`])));

function portsOf(ranges: readonly LogRange[], committed: Readonly<Record<string, bigint>> = {}) {
  return {
    topicIds: ids,
    watch: {
      ranges: (topics: readonly string[]) => (
        Promise.resolve(ranges.filter(({ topic }) => topics.includes(topic)))
      ),
      offsets: (group: string, topics: readonly string[] = []): Promise<readonly GroupOffset[]> => (
        Promise.resolve(ranges.filter(({ topic }) => topics.includes(topic)).map((range) => (
          { ...range, next: committed[`${group} ${range.topic}`] ?? range.start }
        )))
      ),
    },
  };
}

const range = (start: bigint, end: bigint, topic = 'a'): LogRange => (
  { topic, partition: 0, start, end }
);
const offset = (next: bigint, topicId = 'a-id') => ({ topic: 'a', topicId, partition: 0, next });

describe('The log after a backup', () => {
  it('begins where each writer was, and at the beginning where one never committed', async () => {
    const ports = portsOf([range(2n, 9n), range(0n, 5n, 'b')], { 'writer a': 7n });
    const groups = [{ group: 'writer', topics: ['a'] }, { group: 'other', topics: ['b'] }];
    expect(await writtenOffsets(groups, ports)).toEqual([
      offset(7n), { topic: 'b', topicId: 'b-id', partition: 0, next: 0n },
    ]);
  });

  it.each([
    [7n, [range(7n, 9n)]],
    [2n, [range(2n, 9n)]],
    [9n, []],
  ])('from offset %s on', async (next, ranges) => {
    expect(await tailAfter([offset(next)], ['a'], portsOf([range(2n, 9n)])))
      .toEqual({ ranges, gone: [] });
  });

  it('names what the log does not hold any more, and goes on behind it', async () => {
    expect(await tailAfter([offset(1n)], ['a'], portsOf([range(2n, 9n)]))).toEqual({
      ranges: [range(2n, 9n)], gone: [{ topic: 'a', partition: 0, from: 1n, to: 2n }],
    });
  });

  it('is everything of a topic that was made again, and of a partition that is new', async () => {
    const tail = await tailAfter([offset(7n, 'former-id')], ['a', 'b'],
      portsOf([range(0n, 9n), range(0n, 2n, 'b')]));
    expect(tail).toEqual({ ranges: [range(0n, 9n), range(0n, 2n, 'b')], gone: [] });
  });
});

it('is read with all erasures, however old they are', async () => {
  const records = [
    aLogRecord('a', 1, {}), aLogRecord('a', 2, {}), aLogRecord('erasures', 0, {}),
  ];
  const reader = tailReader([range(2n, 3n)], ['a', 'b'], fakeWatchedLog(records));
  const read: string[] = [];
  type Read = readonly { readonly topic: string; readonly offset: bigint }[];
  const onRecords = async (batch: Read) => {
    read.push(...batch.map(({ topic, offset: at }) => `${topic} ${at}`));
    return Promise.resolve();
  };
  await reader.readToEnd(['erasures'], onRecords);
  await reader.readToEnd(['a', 'b'], onRecords);
  expect(read).toEqual(['erasures 0', 'a 2']);
});
