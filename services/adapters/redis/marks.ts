import type { RedisConfig } from './config.ts';
import type { Incarnation } from './incarnation.ts';
import { keys, TAGS } from './keys.ts';
import type { RunScript } from './script-runner.ts';

/** A name of a mark in the shard of a tag. */
export type MarkOf = (tag: string) => string;

/**
 * Sets a mark in every shard if `owner` still has the right to rebuild in all of them, and gives
 * the right back. All shards are asked first: one that forgot the right was wiped. The mark names
 * the servers that ran when the rebuild began, and is refused when others run now. For `doubtMs`
 * the store counts as rebuilt recently: facts of claims that it lost may still come into the log.
 */
export async function mark(
  config: RedisConfig, incarnation: Pick<Incarnation, 'begun'>, runScript: RunScript,
  owner: string, markOf: MarkOf, doubtMs = 0,
): Promise<boolean> {
  if (!await holds(config, runScript, owner, config.commandMsMax * 10)) return false;
  const name = incarnation.begun();
  if (name === undefined) return false;
  return onEveryShard(
    config, runScript, 'mark-shards', (tag) => [keys.rebuild(tag), markOf(tag)],
    [owner, name, doubtMs],
  );
}

/** Keeps the right to rebuild for `leaseMs` more; false when any shard does not know it. */
export function holds(
  config: RedisConfig, runScript: RunScript, owner: string, leaseMs: number,
): Promise<boolean> {
  return onEveryShard(
    config, runScript, 'holds-rebuild', (tag) => [keys.rebuild(tag)], [owner, leaseMs],
  );
}

/**
 * Runs a script that answers 1 or 0 on every shard, true when all say 1. The first shard is asked
 * alone, so that of several processes only one goes on to the others.
 */
export async function onEveryShard(
  config: RedisConfig, runScript: RunScript,
  name: 'claim-rebuild' | 'holds-rebuild' | 'mark-shards' | 'keep-checkpoint',
  keysOf: (tag: string) => readonly string[], args: readonly (string | number)[],
): Promise<boolean> {
  const run = async (tags: readonly string[]): Promise<boolean> =>
    Number(await runScript(name, tags.flatMap(keysOf), args)) === 1;
  if (!config.cluster) return run(TAGS);
  const [first = '', ...others] = TAGS;
  if (!await run([first])) return false;
  const answers = await Promise.all(others.map((tag) => run([tag])));
  return answers.every(Boolean);
}
