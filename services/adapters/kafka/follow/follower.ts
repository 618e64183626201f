import type { LogFollower } from '../../../kernel/log-follower.ts';
import { Unavailable } from '../../../kernel/unavailable.ts';
import type { LogAdmin } from '../admin.ts';

/** The follower of the log: questions by the administration, reading by a client library. */
export function createFollower(admin: LogAdmin, follow: LogFollower['follow']): LogFollower {
  return {
    async extents(topics) {
      try {
        const ids = await admin.topicIds(topics);
        return (await admin.ranges(topics)).map((range) => (
          { ...range, topicId: ids.get(range.topic) ?? '' }
        ));
      } catch (error) {
        throw new Unavailable('log_unavailable', 'receive', 'the cluster does not answer', error);
      }
    },
    committed: (group, topics) => admin.committed(group, topics),
    follow,
  };
}
