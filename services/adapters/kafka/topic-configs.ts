import type { TopicSpec } from './config.ts';

const COMPACTION_LAG_MS_MAX = 86_400_000;

/** What a topic is set to, under Kafka's names; the brokers' own settings hold for the rest. */
export function topicConfigs(topic: TopicSpec): Readonly<Record<string, string | number>> {
  return {
    'cleanup.policy': topic.cleanup,
    'retention.ms': topic.retention_ms,
    'max.message.bytes': topic.message_bytes_max,
    // Device clocks stay in the payload; the time of a record is when the broker got it.
    'message.timestamp.type': 'LogAppendTime',
    // What was replaced is gone from the log within a day, keys of erased persons among it.
    ...(topic.cleanup === 'compact' ? { 'max.compaction.lag.ms': COMPACTION_LAG_MS_MAX } : {}),
    // A batch stays as its producer made it, whatever its codec.
    'compression.type': 'producer',
  };
}
