import type { Readiness } from '../../kernel/readiness.ts';
import type { RedisConfig } from './config.ts';
import type { RedisClient } from './connection.ts';
import { toFault } from './faults.ts';
import { keys, TAGS } from './keys.ts';
import type { RunScript } from './script-runner.ts';

/**
 * The ready marks and the right to set them, both in every shard: a shard that was wiped during a
 * rebuild has lost the right too, so it cannot be marked by accident. The first shard decides who
 * gets the right.
 */
export function createReadiness(
  config: RedisConfig, client: RedisClient, runScript: RunScript,
): Readiness {
  /** Runs a script that answers 1 or 0 on every shard, in order, until one says 0. */
  async function all(
    name: 'claim-rebuild' | 'holds-rebuild' | 'mark-ready',
    keysOf: (tag: string) => readonly string[], args: readonly (string | number)[],
  ): Promise<boolean> {
    const calls = config.cluster ? TAGS.map((tag) => [tag]) : [TAGS];
    for (const tags of calls) {
      if (Number(await runScript(name, tags.flatMap(keysOf), args)) !== 1) return false;
    }
    return true;
  }
  const right = (tag: string): readonly string[] => [keys.rebuild(tag)];

  return {
    isReady: () => everyShard(config, client, keys.ready),
    claimRebuild: (owner, leaseMs) => all('claim-rebuild', right, [owner, leaseMs]),
    renewRebuild: (owner, leaseMs) => all('holds-rebuild', right, [owner, leaseMs]),
    async markReady(owner) {
      // All shards first, then all marks: one forgotten shard must keep every mark unset.
      if (!await all('holds-rebuild', right, [owner, config.commandMsMax * 10])) return false;
      return all('mark-ready', (tag) => [keys.rebuild(tag), keys.ready(tag)], [owner]);
    },
  };
}

/** True when a key exists in each of the shards. */
export async function everyShard(
  config: RedisConfig, client: RedisClient, keyOf: (tag: string) => string,
): Promise<boolean> {
  const names = TAGS.map(keyOf);
  try {
    if (!config.cluster) return await client.exists(...names) === names.length;
    const found = await Promise.all(names.map((name) => client.exists(name)));
    return found.every((one) => one === 1);
  } catch (error) {
    throw toFault(error, 'boot', 'read marks');
  }
}
