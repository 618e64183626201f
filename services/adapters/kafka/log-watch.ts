import { Unavailable } from '../../kernel/unavailable.ts';
import type { GroupOffset, GroupWatch, LogWatch } from '../../kernel/log-watch.ts';
import type { LogAdmin } from './admin.ts';

/** Watches the log by asking the cluster; nothing is kept between questions. */
export function createLogWatch(admin: LogAdmin): LogWatch & GroupWatch {
  async function offsets(
    group: string, topics?: readonly string[],
  ): Promise<readonly GroupOffset[]> {
    const committed = topics === undefined
      ? await admin.committedEverywhere(group) : await admin.committed(group, topics);
    const watched = topics ?? new Set(
      [...committed.keys()].map((name) => name.slice(0, name.lastIndexOf(':'))),
    );
    return (await admin.ranges([...watched])).map(({ topic, partition, start, end }) => ({
      topic, partition, start, end, next: committed.get(`${topic}:${partition}`) ?? start,
    }));
  }

  return {
    offsets: (group, topics) => answered(() => offsets(group, topics)),
    groups: (prefix) => answered(() => admin.groups(prefix)),
    members: (prefix) => answered(async () => admin.members(await admin.groups(prefix))),
    ranges: (topics) => answered(async () => {
      const present = new Set(await admin.topics());
      return admin.ranges(topics.filter((topic) => present.has(topic)));
    }),
    firstSince: (behind, sinceMs) => answered(async () => {
      const firsts = await admin.firstSince(behind, sinceMs);
      return new Map(behind.map(({ topic, partition, end }) => {
        const name = `${topic}:${partition}`;
        const first = firsts.get(name) ?? -1n;
        return [name, first < 0n ? end : first] as const;
      }));
    }),
  };
}

/** The admin asks again for a minute; what it gives up then may pass later all the same. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new Unavailable('log_unavailable', 'receive', 'the cluster does not answer', error);
  }
}
