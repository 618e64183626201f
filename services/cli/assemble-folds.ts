import { REDIS_DEFAULTS } from '../adapters/redis/config.ts';
import { openRedis } from '../adapters/redis/open-redis.ts';
import { systemClock } from '../adapters/system/system.ts';
import type { FoldCheckpoints } from '../kernel/fold-checkpoints.ts';
import type { Signals } from '../kernel/signals.ts';
import { isUnavailable } from '../kernel/unavailable.ts';
import type { StateAddress } from './assemble.ts';

/** Longest wait for the state store, in milliseconds. */
const STATE_MS_MAX = 3_000;

/**
 * The checkpoints that workers keep. A command works without them, and then reads topics whole:
 * where no state store is named, and while it does not answer. A command keeps none.
 */
export function openFolds(address: StateAddress | undefined, signals: Signals): FoldCheckpoints {
  return {
    async find(name) {
      if (address === undefined) return undefined;
      const config = {
        ...REDIS_DEFAULTS, ...address, evictionCheck: false, bootMsMax: STATE_MS_MAX,
      };
      try {
        const states = await openRedis(config, { signals, clock: systemClock });
        try {
          return await states.folds.find(name);
        } finally {
          await states.close();
        }
      } catch (error) {
        if (isUnavailable(error)) return undefined;
        throw error;
      }
    },
    keep: () => Promise.resolve(),
  };
}
