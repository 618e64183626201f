import { openKafka } from '../../services/adapters/kafka/open.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { TOPICS } from '../../schemas/generated/catalog.ts';

/** The log as the bench sees it: topics for peers, and how much each topic holds. */
export interface BenchLog {
  /** Makes a topic like ours for a peer. */
  makeTopic(name: string): Promise<void>;
  recordsOf(topic: string): Promise<bigint>;
  /** True when a group has committed all that a topic has now. */
  isRead(group: string, topic: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens the log without a login. */
export function openBenchLog(brokers: readonly string[]): BenchLog {
  const { admin, close } = openKafka({
    client: 'platformatic', brokers, clientId: 'bench', topics: [],
  }, { signals: silentSignals, clock: { nowMs: () => Date.now() }, schemaIdOf: () => 0 });
  return {
    makeTopic: (name) => admin.ensureTopics([{ ...TOPICS.locations, name }], 1),
    async recordsOf(topic) {
      const ranges = await admin.ranges([topic]);
      return ranges.reduce((sum, { end }) => sum + end, 0n);
    },
    async isRead(group, topic) {
      const ranges = await admin.ranges([topic]);
      const committed = await admin.committed(group, [topic]);
      return ranges.every(({ partition, start, end }) => (
        (committed.get(`${topic}:${partition}`) ?? start) >= end
      ));
    },
    close: () => close(Date.now()),
  };
}
