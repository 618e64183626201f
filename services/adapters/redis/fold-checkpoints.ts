import type { FoldCheckpoint, FoldCheckpoints } from '../../kernel/fold-checkpoints.ts';
import type { RedisClient } from './connection.ts';
import { toFault } from './faults.ts';
import { keys } from './keys.ts';

/** One hash with a field for each fold; gone when none was kept for two months. */
const KEPT_SECONDS = 60 * 86_400;

/** Checkpoints of folds as JSON, beside the state. */
export function createFoldCheckpoints(client: RedisClient): FoldCheckpoints {
  return {
    async find(name) {
      try {
        const text = await client.hget(keys.folds, name);
        return text === null ? undefined : JSON.parse(text) as FoldCheckpoint;
      } catch (error) {
        if (error instanceof SyntaxError) return undefined;
        throw toFault(error, 'apply', 'read a checkpoint of a fold');
      }
    },

    async keep(name, checkpoint) {
      try {
        await client.hset(keys.folds, name, JSON.stringify(checkpoint));
        await client.expire(keys.folds, KEPT_SECONDS);
      } catch (error) {
        throw toFault(error, 'apply', 'keep a checkpoint of a fold');
      }
    },
  };
}
