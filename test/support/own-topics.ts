import { createLogWatch } from '../../services/adapters/kafka/log-watch.ts';
import type { KafkaLog } from '../../services/adapters/kafka/open.ts';
import type { LogFollower } from '../../services/kernel/log-follower.ts';
import type { GroupWatch, LogRangeReader, LogWatch } from '../../services/kernel/log-watch.ts';
import type {
  LogHandler, LogReader, LogRecord, RecordLog, UndecodableRecord,
} from '../../services/kernel/record-log.ts';
import type { FoldSource } from '../../services/kernel/fold.ts';
import { openLog, testTopic, wallClock } from './kafka-logs.ts';
import { stackEnv } from './stack.ts';

/** A running worker; `crash` resolves with the error that it crashed of. */
export interface OwnWorker {
  readonly crash: Promise<unknown>;
  /** Records that it has handled, repeats included. */
  handled(): number;
  stop(): Promise<void>;
}

/** Real topics of the test's own, under the names that the product knows. */
export interface OwnTopics {
  readonly log: RecordLog;
  readonly reader: LogReader;
  readonly watch: LogWatch & GroupWatch;
  readonly rangeReader: LogRangeReader;
  readonly follower: LogFollower;
  readonly topicIds: FoldSource['topicIds'];
  /** The name that the broker knows. */
  readonly nameOf: (topic: string) => string;
  worker(group: string, topics: readonly string[], handler: LogHandler): Promise<OwnWorker>;
  close(): Promise<void>;
}

type ConsumedRecord = LogRecord | UndecodableRecord;

/** Makes a topic for each name and translates in every direction. */
export async function openOwnTopics(
  names: readonly string[], partitions = 3,
): Promise<OwnTopics> {
  const specs = new Map(names.map((name) => [name, testTopic(partitions)]));
  const known = new Map([...specs].map(([name, spec]) => [spec.name, name]));
  const kafka: KafkaLog = openLog('platformatic', stackEnv().KAFKA_BROKERS, [...specs.values()]);
  await kafka.admin.ensureTopics([...specs.values()], 1);

  function nameOf(topic: string): string {
    const spec = specs.get(topic);
    if (spec === undefined) throw new Error(`This test has no topic ${topic}.`);
    return spec.name;
  }
  const renamed = <At extends { readonly topic: string }>(at: At): At => (
    { ...at, topic: known.get(at.topic) ?? at.topic }
  );
  const inBroker = <At extends { readonly topic: string }>(at: At): At => (
    { ...at, topic: nameOf(at.topic) }
  );
  const watch = createLogWatch(kafka.admin);
  const inProduct = (records: readonly ConsumedRecord[]) => (
    records.map((record) => renamed(record)));

  return {
    nameOf,
    log: {
      append: (record, deadlineMs) => (
        kafka.recordLog.append({ ...record, topic: nameOf(record.topic) }, deadlineMs)
      ),
    },
    reader: {
      readToEnd: (topics, onRecords) => kafka.reader.readToEnd(
        topics.map(nameOf), (records) => onRecords(inProduct(records)),
      ),
    },
    watch: {
      groups: (prefix) => watch.groups(prefix),
      members: (prefix) => watch.members(prefix),
      ranges: async (topics) => (await watch.ranges(topics.map(nameOf))).map(renamed),
      offsets: async (group) => (await watch.offsets(group)).map(renamed),
      async firstSince(offsets, sinceMs) {
        const firsts = await watch.firstSince(offsets.map(inBroker), sinceMs);
        return new Map(offsets.map((place) => {
          const { topic, partition } = place;
          const first = firsts.get(`${nameOf(topic)}:${partition}`) ?? place.end;
          return [`${topic}:${partition}`, first] as const;
        }));
      },
    },
    rangeReader: {
      partitionOf: kafka.rangeReader.partitionOf,
      readRanges: (ranges, onRecords) => kafka.rangeReader.readRanges(
        ranges.map(inBroker), (records) => onRecords(inProduct(records)),
      ),
    },
    follower: {
      extents: async (topics) => (await kafka.follower.extents(topics.map(nameOf))).map(renamed),
      async committed(group, topics) {
        const committed = await kafka.follower.committed(group, topics.map(nameOf));
        return new Map([...committed].map(([name, next]) => {
          const mark = name.lastIndexOf(':');
          return [`${known.get(name.slice(0, mark)) ?? ''}${name.slice(mark)}`, next] as const;
        }));
      },
      follow: (from, onRecords, left) => kafka.follower.follow(
        from.map(inBroker), (records) => { onRecords(inProduct(records)); }, left,
      ),
    },
    topicIds: async (topics) => {
      const ids = await kafka.admin.topicIds(topics.map(nameOf));
      return new Map(topics.flatMap((topic) => {
        const id = ids.get(nameOf(topic));
        return id === undefined ? [] : [[topic, id] as const];
      }));
    },
    async worker(group, topics, handler) {
      const crash = Promise.withResolvers<unknown>();
      const consumer = kafka.consumer({
        group, topics: topics.map(nameOf), lingerMs: 50, batchRecordsMax: 50_000,
      }, crash.resolve);
      let handled = 0;
      await consumer.start({
        onAssigned: (partitions) => handler.onAssigned(partitions.map(renamed)),
        onRevoked: (partitions) => handler.onRevoked(partitions.map(renamed)),
        async onRecords(records) {
          const offsets = await handler.onRecords(inProduct(records));
          handled += records.length;
          return offsets.map((next) => ({ ...next, topic: nameOf(next.topic) }));
        },
      });
      return { crash: crash.promise, handled: () => handled, stop: () => consumer.stop() };
    },
    close: () => kafka.close(wallClock.nowMs() + 1_000),
  };
}
