import type { Readiness } from '../../kernel/readiness.ts';
import type { RedisConfig } from './config.ts';
import type { Incarnation } from './incarnation.ts';
import { keys } from './keys.ts';
import { holds, mark, onEveryShard } from './marks.ts';
import type { RunScript } from './script-runner.ts';

/**
 * The ready marks and the right to set them, both in every shard: a shard that was wiped during a
 * rebuild has lost the right too, so it cannot be marked by accident. The first shard decides who
 * gets the right. A mark of other servers than those that run now counts as missing.
 */
export function createReadiness(
  config: RedisConfig, incarnation: Incarnation, runScript: RunScript,
): Readiness {
  return {
    isReady: () => incarnation.isMarked(keys.ready),
    claimRebuild: async (owner, leaseMs) => {
      await incarnation.begin();
      return onEveryShard(
        config, runScript, 'claim-rebuild', (tag) => [keys.rebuild(tag)], [owner, leaseMs],
      );
    },
    renewRebuild: (owner, leaseMs) => holds(config, runScript, owner, leaseMs),
    markReady: (owner) =>
      mark(config, incarnation, runScript, owner, keys.ready, config.rebuildDoubtMs),
  };
}
