import kafkajs from 'kafkajs';
import { makeTopics } from '../../../infra/kafka/make-topics.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import type { TestCluster } from '../cluster/cluster.ts';
import { CHOSEN_CLIENT } from '../../support/kafka-logs.ts';
import type { Fault } from '../scenario.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';

const MAKE_MS_MAX = 60_000;
const BEHIND_MS_MAX = 60_000;
/** Partitions that got records while their readers stood still. */
const PASSED_MIN = 3;

/**
 * Retention deletes what a group has not read yet: its workers stand still until the log begins
 * after their position. Where the log begins after all that they can have read until then, the
 * group must not get there: skipping is silent loss.
 */
export function passOffsets(group: string, topic: string): Fault {
  let readable = new Map<number, bigint>();
  return {
    name: 'retention passes the position', target: `${group} in ${topic}`,
    async begin({ cluster }) {
      const { admin } = cluster.kafka;
      const workers = [cluster.process('workers-1'), cluster.process('workers-2')];
      const announce = (signal: NodeJS.Signals): void => {
        for (const { part } of workers) process.kill(part.pid() ?? process.pid, signal);
      };
      announce('SIGSTOP');
      const ranges = await admin.ranges([topic]);
      readable = new Map(ranges.map(({ partition, end }) => [partition, end]));
      await waitFor(async () => {
        const now = await admin.ranges([topic]);
        const grown = now.filter(({ partition, end }) => end > (readable.get(partition) ?? end));
        return grown.length >= PASSED_MIN;
      }, { what: 'Records that stopped workers cannot read', deadlineMs: BEHIND_MS_MAX });
      await deleteAll(cluster, topic);
      announce('SIGCONT');
    },
    async end({ cluster }) {
      const starts = await cluster.kafka.admin.ranges([topic]);
      const committed = await cluster.kafka.admin.committed(group, [topic]);
      for (const { partition, start } of starts) {
        const [read, now] = [readable.get(partition), committed.get(`${topic}:${partition}`)];
        if (read !== undefined && read < start && now !== undefined && now >= start) {
          throw new Error(`${group} could read ${topic}:${partition} up to ${read} and is at ${now}, `
            + `but the log begins at ${start}.`);
        }
      }
    },
  };
}

/** A topic is deleted and made again under its name while everything works. */
export function recreateTopic(topic: string): Fault {
  return {
    name: 'topic made again', target: topic,
    async begin({ cluster }) {
      const { brokers, registry_url } = cluster.addresses;
      await asAdmin(brokers, (admin) => admin.deleteTopics({ topics: [topic] }));
      await makeTopics({
        client: CHOSEN_CLIENT, brokers, registryUrl: registry_url, replicas: 1,
        deadlineMs: Date.now() + MAKE_MS_MAX,
      }, silentSignals);
    },
  };
}

/** Deletes every record that the topic has now. */
function deleteAll(cluster: TestCluster, topic: string): Promise<void> {
  return asAdmin(cluster.addresses.brokers, async (admin) => {
    const partitions = (await admin.fetchTopicOffsets(topic))
      .filter(({ low, high }) => low !== high)
      .map(({ partition, high }) => ({ partition, offset: high }));
    await admin.deleteTopicRecords({ topic, partitions });
  });
}

/** Past the port of the product, which destroys nothing. */
async function asAdmin(
  brokers: readonly string[], work: (admin: ReturnType<kafkajs.Kafka['admin']>) => Promise<void>,
): Promise<void> {
  const kafka = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.disconnect();
  }
}
