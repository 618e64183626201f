import { LogCut, type LogFollower } from '../../../kernel/log-follower.ts';
import type { ConnectionLimits } from '../config.ts';
import { createFetcher } from '../consume/fetcher.ts';
import { fetchAssignment } from '../consume/fetch-assignment.ts';
import type { ReaderPorts } from '../read/platformatic-reader.ts';
import { hasReason } from '../errors.ts';
import type { FollowLimits } from './follow-limits.ts';

/** Follows by our own fetch loop, in no group. */
export function platformaticFollow(
  connection: ConnectionLimits, limits: FollowLimits, ports: ReaderPorts,
): LogFollower['follow'] {
  return async function follow(from, onRecords, left) {
    const topics = [...new Set(from.map(({ topic }) => topic))];
    const fetcher = createFetcher(connection, topics, limits);
    const ended = new AbortController();
    let failure: { readonly error: unknown } | undefined;
    try {
      await fetchAssignment(fetcher, from.map((each) => ({ ...each })), {
        offer(records) {
          try {
            onRecords(records);
          } catch (error) {
            failure = { error };
            ended.abort();
          }
        },
        room: () => Promise.resolve(),
      }, limits, {
        ...ports, left: AbortSignal.any([left, ended.signal]), doubt: () => undefined,
      });
    } catch (error) {
      throw isLost(error) ? new LogCut((error as Error).message, { cause: error }) : error;
    } finally {
      await fetcher.close();
    }
    if (failure !== undefined) throw failure.error;
  };
}

function isLost(error: unknown): boolean {
  return hasReason(error, 'OFFSET_OUT_OF_RANGE') || hasReason(error, 'TOPIC_RECREATED');
}
