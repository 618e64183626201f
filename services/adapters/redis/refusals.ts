import type { Clock } from '../../kernel/clock.ts';
import type { KeptRefusals, RefusalStore } from '../../kernel/refusals.ts';
import type { RedisClient } from './connection.ts';
import { toFault } from './faults.ts';
import { keys, tagOfClient } from './keys.ts';
import type { RunScript } from './script-runner.ts';

/** Rows of one client, and for how long after the last one they are kept. */
const ROWS_MAX = 200;
const KEPT_MS = 7 * 86_400_000;
/** Clients of one shard of which refusals are kept: with 64 shards 1,024 in all. */
const CLIENTS_MAX = 16;
const HOUR_MS = 3_600_000;
const COUNT_AND_TIMES = /^(\d+):(\d+):(\d+)$/;

/**
 * Refused calls as one hash per client: a field for each hour, operation, status, code and place,
 * with how many they were, the first and the last. Nothing of it comes from the log or goes there.
 */
export function createRefusalStore(
  client: RedisClient, runScript: RunScript, clock: Clock,
): RefusalStore {
  return {
    async keep(clientId, refusals) {
      const tag = tagOfClient(clientId);
      await runScript('keep-refusals', [keys.refusals(tag, clientId), keys.refusalClients(tag)], [
        clientId, clock.nowMs(), ROWS_MAX, KEPT_MS, CLIENTS_MAX,
        ...refusals.flatMap((each) => (
          [nameOf(each), each.count, each.first_at_ms, each.last_at_ms]
        )),
      ]);
    },

    async find(clientId) {
      const sinceMs = clock.nowMs() - KEPT_MS;
      const fields = await readFields(client, keys.refusals(tagOfClient(clientId), clientId));
      return Object.entries(fields).flatMap(([name, text]) => refusalsIn(name, text))
        .filter(({ last_at_ms }) => last_at_ms >= sinceMs)
        .toSorted((a, b) => b.last_at_ms - a.last_at_ms);
    },
  };
}

async function readFields(
  client: RedisClient, key: string,
): Promise<Readonly<Record<string, string>>> {
  try {
    return await client.hgetall(key);
  } catch (error) {
    throw toFault(error, 'decide', 'refused calls');
  }
}

/** `hour|operation|status|code|pointers`: none of them has a bar or a space in it. */
function nameOf({ operation, status, code, pointers, last_at_ms }: KeptRefusals): string {
  const hour = Math.floor(last_at_ms / HOUR_MS);
  return [hour, operation, status, code, pointers.join(' ')].join('|');
}

function refusalsIn(name: string, text: string): readonly KeptRefusals[] {
  const [, operation = '', status = '', code = '', joined = ''] = name.split('|');
  const found = COUNT_AND_TIMES.exec(text);
  if (found === null) return [];
  const [count = 0, first_at_ms = 0, last_at_ms = 0] = found.slice(1).map(Number);
  const pointers = joined === '' ? [] : joined.split(' ');
  return [{ operation, status: Number(status), code, pointers, count, first_at_ms, last_at_ms }];
}
