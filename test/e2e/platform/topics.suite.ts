import { readFileSync } from 'node:fs';
import { Admin, ConfigResourceTypes } from '@platformatic/kafka';
import { describe, expect, it } from 'vitest';
import type { TestEnv } from '../../support/platform.ts';

/** A topic as `schemas/catalog.json` describes it. */
interface CatalogTopic {
  readonly name: string;
  readonly partitions: number;
  readonly cleanup: string;
  readonly retention_ms: number;
  readonly message_bytes_max: number;
}

const DAY_MS = 86_400_000;
/** What Kafka takes for "without limit". */
const NEVER_MS = 9_223_372_036_854_775_807n;

/** What a running broker says of each topic, beside what the catalog says of it. */
export function topicsSuite(at: () => TestEnv): void {
  describe('the topics of a running broker', () => {
    const catalog = JSON.parse(readFileSync('schemas/catalog.json', 'utf8')) as {
      readonly topics: readonly CatalogTopic[];
    };
    const topics = catalog.topics.toSorted((a, b) => (a.name < b.name ? -1 : 1));

    it('are set as the catalog says; what is replaced in a compacted one is gone in a day', async () => {
      const admin = new Admin({
        clientId: 'test-topics', bootstrapBrokers: at().env.KAFKA_BROKERS.split(','),
      });
      try {
        const names = topics.map(({ name }) => name);
        const metadata = await admin.metadata({ topics: names, forceUpdate: true });
        const described = await admin.describeConfigs({
          resources: names.map((resourceName) => ({
            resourceType: ConfigResourceTypes.TOPIC, resourceName, configurationKeys: null,
          })),
        });
        const found = described.toSorted((a, b) => (
          a.resourceName < b.resourceName ? -1 : 1
        )).map(({ resourceName, configs }) => {
          const value = new Map(configs.map((config) => [config.name, config.value]));
          return {
            name: resourceName, partitions: metadata.topics.get(resourceName)?.partitionsCount,
            cleanup: value.get('cleanup.policy'), retention_ms: value.get('retention.ms'),
            message_bytes_max: value.get('max.message.bytes'),
            times: value.get('message.timestamp.type'),
            compaction_lag_ms: value.get('max.compaction.lag.ms'),
          };
        });
        expect(found).toEqual(topics.map((topic) => ({
          name: topic.name, partitions: topic.partitions, cleanup: topic.cleanup,
          retention_ms: String(topic.retention_ms),
          message_bytes_max: String(topic.message_bytes_max),
          times: 'LogAppendTime',
          compaction_lag_ms: String(topic.cleanup === 'compact' ? DAY_MS : NEVER_MS),
        })));
        const keys = found.find(({ name }) => name === 'personal.keys.v1');
        expect(keys).toMatchObject({ cleanup: 'compact', compaction_lag_ms: String(DAY_MS) });
      } finally {
        await admin.close();
      }
    });
  });
}
