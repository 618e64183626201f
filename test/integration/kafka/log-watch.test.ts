import { waitFor } from '../../../infra/local/wait.ts';
import { KAFKA_CLIENTS, type KafkaClient } from '../../../services/adapters/kafka/config.ts';
import { createLogWatch } from '../../../services/adapters/kafka/log-watch.ts';
import { openLog, testTopic, wallClock } from '../../support/kafka-logs.ts';
import { describeLogWatch, type WatchedLog } from '../../support/log-watch.suite.ts';
import { stackEnv } from '../../support/stack.ts';

const DEADLINE_MS = 30_000;

for (const client of KAFKA_CLIENTS) describeLogWatch(client, () => openWatched(client));

async function openWatched(client: KafkaClient): Promise<WatchedLog> {
  const topic = testTopic(1);
  const log = openLog(client, stackEnv().KAFKA_BROKERS, [topic]);
  const watch = createLogWatch(log.admin);
  await log.admin.ensureTopics([topic], 1);
  const groups: string[] = [];
  return {
    watch,
    topic: topic.name,
    async append(records) {
      for (let nth = 0; nth < records; nth += 1) {
        await log.recordLog.append({
          topic: topic.name, key: 'k', value: Buffer.from('{}'), headers: {},
        }, Date.now() + DEADLINE_MS);
      }
    },
    async commit(group, next) {
      groups.push(group);
      const consumer = log.consumer({ group, topics: [topic.name] }, () => undefined);
      await consumer.start({
        onAssigned: () => Promise.resolve(),
        onRevoked: () => Promise.resolve(),
        onRecords: (records) => Promise.resolve(records
          .filter(({ offset }) => offset < next)
          .map(({ partition, offset }) => (
            { topic: topic.name, partition, nextOffset: offset + 1n }
          ))),
      });
      try {
        const isThere = async (): Promise<boolean> => (await watch.offsets(group))
          .some((place) => place.next === next);
        await waitFor(isThere, { what: 'A commit', deadlineMs: DEADLINE_MS });
      } finally {
        await consumer.stop();
      }
    },
    async close() {
      for (const group of groups) await log.admin.deleteGroup(group);
      await log.close(wallClock.nowMs());
    },
  };
}
