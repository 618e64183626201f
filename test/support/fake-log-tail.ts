import type { FoldCheckpoint, FoldCheckpoints } from '../../services/kernel/fold-checkpoints.ts';
import type { LogRecord } from '../../services/kernel/record-log.ts';
import type { FoldSource } from '../../services/kernel/fold.ts';
import { fakeWatchedLog } from './fake-watched-log.ts';

/** A log in memory that grows, and of which parts are read; `read` names what was read of it. */
export interface FakeFoldSource extends FoldSource {
  readonly read: string[];
}

/** Makes it over the records that are there now, one partition a topic. */
export function fakeFoldSource(recordsNow: () => readonly LogRecord[]): FakeFoldSource {
  const read: string[] = [];
  return {
    read,
    watch: { ranges: (topics) => fakeWatchedLog(recordsNow()).watch.ranges(topics) },
    rangeReader: {
      readRanges: (ranges, onRecords) => (
        fakeWatchedLog(recordsNow()).rangeReader.readRanges(ranges, (records) => {
          read.push(...records.map(({ topic, offset }) => `${topic}:${offset}`));
          return onRecords(records);
        })
      ),
    },
    topicIds: async (topics) => new Map(topics.map((topic) => [
      topic, recordsNow().findLast((record) => record.topic === topic)?.topicId ?? `${topic}-id`,
    ])),
  };
}

/** Checkpoints in memory, as texts, so that nothing is shared with who kept them. */
export function memoryFolds(): FoldCheckpoints & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    find: async (name) => {
      const text = texts.get(name);
      return text === undefined ? undefined : JSON.parse(text) as FoldCheckpoint;
    },
    keep: async (name, checkpoint) => { texts.set(name, JSON.stringify(checkpoint)); },
  };
}
