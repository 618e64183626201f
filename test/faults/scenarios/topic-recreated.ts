import { recreateTopic } from '../kinds/log-surgery.ts';
import type { Scenario } from '../scenario.ts';

/** The same name, another log: offsets of the old one mean nothing in the new one. */
export const topicRecreated: Scenario = {
  name: 'topic-recreated',
  does: 'the topic of events is deleted and made again while everything works',
  aims: ['I2', 'I14', 'I16'], seconds: 20, ownCluster: {}, allows: ['log-lost'],
  mustSay: ['topic_remade'],
  plan: () => [{ atMs: 3_000, fault: recreateTopic('rtt.telemetry-events.v1') }],
};
