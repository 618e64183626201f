import type { Checkpoint, Checkpoints } from '../../kernel/checkpoints.ts';
import { leastCheckpoint } from '../../kernel/least-checkpoint.ts';
import type { RedisConfig } from './config.ts';
import type { RedisClient } from './connection.ts';
import { toFault } from './faults.ts';
import { keys, TAGS } from './keys.ts';
import { onEveryShard } from './marks.ts';
import { readEach } from './incarnation.ts';
import type { RunScript } from './script-runner.ts';

/** Checkpoints as one text in each shard, beside what they speak of. */
export function createCheckpoints(
  config: RedisConfig, client: RedisClient, runScript: RunScript,
): Checkpoints {
  return {
    keep: (checkpoint) => onEveryShard(
      config, runScript, 'keep-checkpoint', (tag) => [keys.ready(tag), keys.checkpoint(tag)],
      [JSON.stringify(checkpoint)],
    ),
    async find() {
      try {
        const texts = await readEach(client, TAGS.map(keys.checkpoint));
        const found = texts.flatMap((text) => (
          text === null ? [] : [JSON.parse(text) as Checkpoint]
        ));
        return found.length < TAGS.length ? undefined : leastCheckpoint(found);
      } catch (error) {
        throw toFault(error, 'apply', 'read checkpoints');
      }
    },
  };
}
