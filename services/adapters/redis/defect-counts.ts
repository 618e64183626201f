import type { DefectCounts } from '../../kernel/defect-counts.ts';
import type { RedisClient } from './connection.ts';
import { toFault } from './faults.ts';
import { keys, tagOf } from './keys.ts';

/** What is a day old says nothing about the release that runs now. */
const KEPT_SECONDS = 86_400;

/** One hash per worker: a field for each record at which its process ended. */
export function createDefectCounts(client: RedisClient, worker: string): DefectCounts {
  const key = keys.defects(tagOf(0), worker);
  return {
    async load() {
      const fields = await guarded('load', () => client.hgetall(key));
      return new Map(Object.entries(fields).map(([name, count]) => [name, Number(count)]));
    },

    async add(names) {
      await guarded('add', () => Promise.all(names.map((name) => client.hincrby(key, name, 1))));
      await guarded('keep', () => client.expire(key, KEPT_SECONDS));
    },

    async clear(names) {
      if (names.length > 0) await guarded('clear', () => client.hdel(key, ...names));
    },
  };
}

async function guarded<Value>(what: string, call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    throw toFault(error, 'apply', `${what} counts of defects`);
  }
}
