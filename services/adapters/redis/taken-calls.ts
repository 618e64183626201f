import type { TakenCallStore } from '../../kernel/taken-calls.ts';
import type { RedisClient } from './connection.ts';
import { toFault } from './faults.ts';
import { keys, tagOfClient } from './keys.ts';
import type { RunScript } from './script-runner.ts';

/** For how long after the last call that was written they are kept. */
const KEPT_MS = 90 * 86_400_000;
const FIRST_AND_LAST = /^(\d+):(\d+)$/;

/**
 * Taken calls as one hash per client, with a field for each operation: there are as many as the
 * interface has. Nothing of it comes from the log or goes there.
 */
export function createTakenCallStore(client: RedisClient, runScript: RunScript): TakenCallStore {
  return {
    async keep(clientId, taken) {
      await runScript('keep-taken', [keys.taken(tagOfClient(clientId), clientId)], [
        KEPT_MS,
        ...taken.flatMap((each) => [each.operation, each.first_at_ms, each.last_at_ms]),
      ]);
    },

    async find(clientId) {
      try {
        const fields = await client.hgetall(keys.taken(tagOfClient(clientId), clientId));
        return Object.entries(fields).flatMap(([operation, text]) => {
          const found = FIRST_AND_LAST.exec(text);
          if (found === null) return [];
          const [first_at_ms = 0, last_at_ms = 0] = found.slice(1).map(Number);
          return [{ operation, first_at_ms, last_at_ms }];
        });
      } catch (error) {
        throw toFault(error, 'decide', 'taken calls');
      }
    },
  };
}
