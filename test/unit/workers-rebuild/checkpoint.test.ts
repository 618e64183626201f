import { beforeEach, describe, expect, it } from 'vitest';
import type { Checkpoint } from '../../../services/kernel/checkpoints.ts';
import { leastCheckpoint } from '../../../services/kernel/least-checkpoint.ts';
import type { GroupOffset, LogRange } from '../../../services/kernel/log-watch.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import {
  createKeepCheckpoint,
} from '../../../services/workers/rebuild/keep-checkpoint.ts';
import {
  CHECKPOINT_AGE_MS_MAX, createTailReader,
} from '../../../services/workers/rebuild/read-tail.ts';
import { checkpointSources } from '../../../services/workers/rebuild-sources.ts';
import { WORKERS } from '../../../services/workers/workers.ts';

const TEN_MINUTES_MS = 600_000;

/** A log of topics with one partition each: its ends, and what groups have committed. */
const log = {
  ends: new Map<string, bigint>(),
  committed: new Map<string, bigint>(),
  ids: new Map<string, string>(),
  range: (topic: string): LogRange => (
    { topic, partition: 0, start: 0n, end: log.ends.get(topic) ?? 0n }
  ),
};
const topicIds = async (topics: readonly string[]) => new Map(
  topics.flatMap((topic) => {
    const id = log.ids.get(topic);
    return id === undefined ? [] : [[topic, id] as const];
  }),
);
const watch = {
  ranges: async (topics: readonly string[]) => topics.map(log.range),
  offsets: async (group: string, topics: readonly string[] = []): Promise<GroupOffset[]> => (
    topics.map((topic) => (
      { ...log.range(topic), next: log.committed.get(`${group} ${topic}`) ?? 0n }
    ))
  ),
};

describe('a checkpoint', () => {
  let nowMs: number;
  let kept: Checkpoint[];
  const clock = { nowMs: () => nowMs };
  const checkpoints = {
    keep: async (checkpoint: Checkpoint) => {
      kept.push(checkpoint);
      return true;
    },
    find: async () => kept.at(-1),
  };
  const held = (): Readonly<Record<string, string>> => Object.fromEntries(
    (kept.at(-1)?.offsets ?? []).map(({ topic, next }) => [topic, next]),
  );

  beforeEach(() => {
    nowMs = 1_764_000_000_000;
    kept = [];
    log.ends = new Map([['facts', 100n], ['made', 50n], ['from', 30n]]);
    log.committed = new Map([['g facts', 90n], ['maker from', 20n]]);
    log.ids = new Map([['facts', 'F'], ['made', 'M'], ['from', 'R']]);
  });

  it('[GEN-64] holds what groups have committed', async () => {
    const topics = ['facts'];
    const keep = createKeepCheckpoint(
      [{ group: 'g', topics, commits: topics }], { checkpoints, watch, topicIds, clock },
    );
    expect(await keep()).toBe(true);
    expect(kept).toEqual([{
      at_ms: nowMs, offsets: [{ topic: 'facts', topic_id: 'F', partition: 0, next: '90' }],
    }]);
  });

  it('[GEN-64] holds of a made topic what was there when all that it is made from is committed', async () => {
    const keep = createKeepCheckpoint(
      [{ group: 'maker', topics: ['made'], commits: ['from'] }],
      { checkpoints, watch, topicIds, clock },
    );
    await keep();
    expect(held()).toEqual({});
    log.ends = new Map([['made', 70n], ['from', 40n]]);
    log.committed.set('maker from', 30n);
    nowMs += TEN_MINUTES_MS - 1;
    await keep();
    expect(held()).toEqual({});
    nowMs += 1;
    await keep();
    expect(held()).toEqual({ made: '50' });
    log.committed.set('maker from', 39n);
    nowMs += TEN_MINUTES_MS;
    await keep();
    expect(held()).toEqual({ made: '50' });
    log.committed.set('maker from', 40n);
    await keep();
    expect(held()).toEqual({ made: '70' });
  });

  it('is for every topic of the state that a group applies', () => {
    const sources = checkpointSources();
    const rebuilt = WORKERS.flatMap((worker) => 'rebuild' in worker ? [worker] : []);
    expect(sources.map(({ group }) => group))
      .toEqual(rebuilt.filter(({ reads }) => reads.length > 0).map(({ id }) => `rastro.${id}`));
    const made = sources.filter(({ topics, commits }) => topics !== commits);
    expect(made.map(({ group }) => group)).toEqual(['rastro.journey']);
  });

  it('of several shards is the least of each partition that all of them name', () => {
    const offset = (topic: string, next: string, topic_id = 'T') => (
      { topic, topic_id, partition: 0, next }
    );
    expect(leastCheckpoint([
      { at_ms: 3, offsets: [offset('a', '10'), offset('b', '9'), offset('c', '1', 'old')] },
      { at_ms: 2, offsets: [offset('a', '9'), offset('c', '1'), offset('b', '10')] },
    ])).toEqual({ at_ms: 2, offsets: [offset('a', '9'), offset('b', '9')] });
    expect(leastCheckpoint([])).toBeUndefined();
  });

  describe('that a store has', () => {
    let read: LogRange[];
    const readTail = async (...topics: readonly string[]): Promise<Record<string, bigint>> => {
      read = [];
      await createTailReader({
        checkpoints, watch, topicIds, clock, signals: silentSignals,
        rangeReader: {
          readRanges: async (ranges) => { read.push(...ranges); },
          partitionOf: () => 0,
        },
      }).readToEnd(topics, async () => undefined);
      return Object.fromEntries(read.map(({ topic, start }) => [topic, start]));
    };
    const keep = (...offsets: Checkpoint['offsets'][number][]): void => {
      kept = [{ at_ms: nowMs, offsets }];
    };

    it('[GEN-64] is where a rebuild begins; other topics are read whole', async () => {
      keep({ topic: 'facts', topic_id: 'F', partition: 0, next: '90' });
      expect(await readTail('facts', 'from')).toEqual({ facts: 90n, from: 0n });
    });

    it('[GEN-64] means nothing in a topic that was made again, or beyond its end', async () => {
      keep(
        { topic: 'facts', topic_id: 'former', partition: 0, next: '90' },
        { topic: 'from', topic_id: 'R', partition: 0, next: '31' },
      );
      expect(await readTail('facts', 'from')).toEqual({ facts: 0n, from: 0n });
    });

    it('[GEN-64] counts for half a day: then tombstones may be gone that it lacks', async () => {
      keep({ topic: 'facts', topic_id: 'F', partition: 0, next: '90' });
      nowMs += CHECKPOINT_AGE_MS_MAX;
      expect(await readTail('facts')).toEqual({ facts: 90n });
      nowMs += 1;
      expect(await readTail('facts')).toEqual({ facts: 0n });
    });

    it('is none when a shard has none', async () => {
      expect(await readTail('facts')).toEqual({ facts: 0n });
    });
  });
});
