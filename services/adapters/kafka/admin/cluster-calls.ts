import type { GroupMembers } from '../../../kernel/log-watch.ts';
import type { TopicSpec } from '../config.ts';
import type { RuleCalls } from '../grants.ts';
import type { OffsetCalls } from '../offsets.ts';
import { topicConfigs } from '../topic-configs.ts';

/** What a client library asks of the cluster, each once: the admin asks again. */
export interface ClusterCalls extends OffsetCalls, RuleCalls {
  listTopics(): Promise<readonly string[]>;
  /** Rejects when the topic is there, unless the library takes that for success. */
  createTopic(topic: TopicSpec, replicas: number): Promise<void>;
  /** The broker that leads each partition, below 0 for none; undefined for an unknown topic. */
  leaders(topic: string): Promise<readonly number[] | undefined>;
  /** Sets the configs of a topic that is there, and leaves its others alone. */
  setConfigs(topic: TopicSpec): Promise<void>;
  topicIds(topics: readonly string[]): Promise<ReadonlyMap<string, string>>;
  listGroups(): Promise<readonly string[]>;
  describeGroups(groups: readonly string[]): Promise<readonly DescribedGroup[]>;
  deleteGroup(group: string): Promise<void>;
  close(): Promise<void>;
}

/** A group with the state that the brokers name. */
export interface DescribedGroup extends Pick<GroupMembers, 'group' | 'members'> {
  readonly state: string;
}

/** The configs of a topic as both libraries want them. */
export function configsOf(topic: TopicSpec): { name: string; value: string }[] {
  return Object.entries(topicConfigs(topic)).map(([name, value]) => (
    { name, value: String(value) }
  ));
}
