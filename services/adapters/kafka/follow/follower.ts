import type { LogFollower } from '../../../kernel/log-follower.ts';
import type { LogAdmin } from '../admin.ts';

/** The follower of the log: questions by the administration, reading by a client library. */
export function createFollower(admin: LogAdmin, follow: LogFollower['follow']): LogFollower {
  return {
    async extents(topics) {
      const ids = await admin.topicIds(topics);
      return (await admin.ranges(topics)).map((range) => (
        { ...range, topicId: ids.get(range.topic) ?? '' }
      ));
    },
    committed: (group, topics) => admin.committed(group, topics),
    follow,
  };
}
