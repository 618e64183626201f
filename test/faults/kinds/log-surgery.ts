import kafkajs from 'kafkajs';
import { makeTopics } from '../../../infra/kafka/make-topics.ts';
import type { TestCluster } from '../cluster/cluster.ts';
import { CHOSEN_CLIENT } from '../../support/kafka-logs.ts';
import type { Fault } from '../scenario.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';

const MAKE_MS_MAX = 60_000;
const BEHIND_MS = 3_000;

/**
 * Retention deletes what a group has not read yet: its workers stand still until the log begins
 * after their position. At the end the group must stand where it stood: skipping is silent loss.
 */
export function passOffsets(group: string, topic: string): Fault {
  let before = new Map<string, bigint>();
  return {
    name: 'retention passes the position', target: `${group} in ${topic}`,
    async begin({ cluster }) {
      const workers = [cluster.process('workers-1'), cluster.process('workers-2')];
      const announce = (signal: NodeJS.Signals): void => {
        for (const { part } of workers) process.kill(part.pid() ?? process.pid, signal);
      };
      announce('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, BEHIND_MS));
      before = new Map(await cluster.kafka.admin.committed(group, [topic]));
      await deleteAll(cluster, topic);
      announce('SIGCONT');
    },
    async end({ cluster }) {
      const starts = await cluster.kafka.admin.ranges([topic]);
      for (const [place, now] of await cluster.kafka.admin.committed(group, [topic])) {
        const start = starts.find((each) => `${each.topic}:${each.partition}` === place)?.start ?? 0n;
        const was = before.get(place) ?? 0n;
        if (was < start && now >= start) {
          throw new Error(`${group} went from ${was} to ${now} of ${place}, which begins at ${start}.`);
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
