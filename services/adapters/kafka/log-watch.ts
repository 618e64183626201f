import type { GroupPlace, LogWatch } from '../../kernel/log-watch.ts';
import type { LogAdmin } from './admin.ts';

/** Watches the log by asking the cluster; nothing is kept between questions. */
export function createLogWatch(admin: LogAdmin): LogWatch {
  async function places(group: string): Promise<readonly GroupPlace[]> {
    const committed = await admin.committedEverywhere(group);
    const topics = new Set([...committed.keys()].map((name) => name.slice(0, name.lastIndexOf(':'))));
    return (await admin.ranges([...topics])).map(({ topic, partition, start, end }) => ({
      topic, partition, start, end, next: committed.get(`${topic}:${partition}`) ?? start,
    }));
  }

  return {
    places,
    groups: (prefix) => admin.groups(prefix),
    async ranges(topics) {
      const present = new Set(await admin.topics());
      return admin.ranges(topics.filter((topic) => present.has(topic)));
    },
    async firstSince(behind, sinceMs) {
      const firsts = await admin.firstSince(behind, sinceMs);
      return new Map(behind.map(({ topic, partition, end }) => {
        const name = `${topic}:${partition}`;
        const first = firsts.get(name) ?? -1n;
        return [name, first < 0n ? end : first] as const;
      }));
    },
  };
}
