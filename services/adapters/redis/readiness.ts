import type { Readiness } from '../../kernel/readiness.ts';
import type { RedisConfig } from './config.ts';
import type { RedisClient } from './connection.ts';
import { keys } from './keys.ts';
import { holds, isMarked, mark, onEveryShard } from './marks.ts';
import type { RunScript } from './script-runner.ts';

/**
 * The ready marks and the right to set them, both in every shard: a shard that was wiped during a
 * rebuild has lost the right too, so it cannot be marked by accident. The first shard decides who
 * gets the right.
 */
export function createReadiness(
  config: RedisConfig, client: RedisClient, runScript: RunScript,
): Readiness {
  return {
    isReady: () => isMarked(config, client, keys.ready),
    claimRebuild: (owner, leaseMs) => onEveryShard(
      config, runScript, 'claim-rebuild', (tag) => [keys.rebuild(tag)], [owner, leaseMs],
    ),
    renewRebuild: (owner, leaseMs) => holds(config, runScript, owner, leaseMs),
    markReady: (owner) => mark(config, runScript, owner, keys.ready),
  };
}
