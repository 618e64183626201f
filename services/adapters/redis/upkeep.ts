import type { Redis } from 'ioredis';
import type { Clock } from '../../kernel/clock.ts';
import { LEAVING_KINDS, LEAVING_MS, packedEndMs } from '../../kernel/lifetimes.ts';
import type { StateKind } from '../../kernel/state-store.ts';
import type { StoredEntry, StateUpkeep } from '../../kernel/state-upkeep.ts';
import type { RedisClient } from './connection.ts';
import { toFault } from './faults.ts';
import { keys, TAGS } from './keys.ts';

/** Keys that say nothing about the log, by the word behind their tag. */
const NOT_FROM_THE_LOG: readonly string[] = [
  'ready', 'rebuild', 'rebuilt', 'fixes-complete', 'checkpoint', 'folds', 'quota', 'lease', 'shadow',
  'refusals', 'refusal-clients', 'taken',
  // What sandbox clients did was never in the log.
  'sandbox',
  // What was asked of partners by a click passes in a day.
  'examination', 'examinations-due',
  // When something is tried next moves with every try; what is tried is in other keys.
  'feeds-due', 'authorization-calls-due', 'webhook-outboxes-due',
  // Lists by time: what is listed is in other keys, and old members go when new ones come.
  'authorization-calls', 'commands', 'transport-commands',
  // What finished shipments have in common: each says which it takes, and some are taken no more.
  'shipment-forms',
];

/** Fields that pass on their own, count changes, or are evidence only. */
const PASSING = /^(pending|offer|reserved|o:)|^(v|due_ms|failures|items_max|read_to)$/;

const NAME = /^\{s(\d\d)\}:([a-z-]+)/;
const SHADOW = `${TAGS[0] ?? ''}:shadow`;
const SCAN_COUNT = 500;
const PACKED = 'finished-shipments' satisfies StateKind;
const PACKED_NAME = new RegExp(`^(\\{s\\d\\d\\}:${PACKED}:[0-9a-z]+)(?:#(.*))?$`, 's');

/** The upkeep of the state store, by SCAN, so that no call holds the server up. */
export function createStateUpkeep(
  client: RedisClient, ports: { readonly clock: Clock },
): StateUpkeep {
  async function names(onNames: (names: readonly string[]) => Promise<void>): Promise<void> {
    for (const node of 'nodes' in client ? client.nodes('master') : [client]) {
      let cursor = '0';
      do {
        const [next, found] = await node.scan(cursor, 'COUNT', SCAN_COUNT);
        cursor = next;
        if (found.length > 0) await onNames(found);
      } while (cursor !== '0');
    }
  }

  /** The entry of a key, or all that are packed in it. */
  async function entriesOf(name: string): Promise<readonly StoredEntry[]> {
    const [, key, field] = PACKED_NAME.exec(name) ?? [];
    if (key !== undefined) return packedIn(key, field);
    const parsed = parseName(name);
    if (parsed === undefined) return [];
    const content = await contentOf(client, name);
    if (content === undefined) return [];
    if (parsed.kind === 'token' && hasEnded(content, ports.clock.nowMs())) return [];
    const text = canonical(content);
    if (text === undefined) return [];
    return [{ name, ...parsed, content: text, isLeaving: await isLeaving(parsed.kind, name) }];
  }

  /** Finished shipments, each of them an entry behind the name of the key that it is packed in. */
  async function packedIn(key: string, field?: string): Promise<readonly StoredEntry[]> {
    const fields = field === undefined
      ? await client.hgetall(key) : { [field]: await client.hget(key, field) };
    const shard = parseName(key)?.shard ?? 0;
    const untilMs = ports.clock.nowMs() + LEAVING_MS;
    return Object.entries(fields).flatMap(([number, packed]) => (
      number === 'v' || packed === null ? [] : [{
        name: `${key}#${number}`, kind: PACKED, shard, content: packed,
        isLeaving: packedEndMs(packed) <= untilMs,
      }]
    ));
  }

  async function isLeaving(kind: string, name: string): Promise<boolean> {
    if (!LEAVING_KINDS.some((leaving) => leaving === kind)) return false;
    const leftMs = await client.pttl(name);
    return leftMs >= 0 && leftMs <= LEAVING_MS;
  }

  async function read(wanted: readonly string[]): Promise<readonly StoredEntry[]> {
    return (await Promise.all(wanted.map(entriesOf))).flat();
  }

  async function remove(isWanted: (name: string) => boolean): Promise<number> {
    let removed = 0;
    await names(async (found) => {
      const gone = found.filter(isWanted);
      // One key a call: on a cluster they lie in different slots.
      await Promise.all(gone.map((name) => client.unlink(name)));
      removed += gone.length;
    });
    return removed;
  }

  const upkeep: StateUpkeep = {
    scan: (onEntries) => names(async (found) => onEntries(await read(found))),
    read,
    async withdrawMarks() {
      await client.unlink(keys.folds);
      await Promise.all(TAGS.flatMap((tag) => [
        client.unlink(keys.ready(tag)), client.unlink(keys.fixesComplete(tag)),
        client.unlink(keys.checkpoint(tag)),
      ]));
    },
    clear: (kept) => remove((name) => {
      const parsed = parseName(name);
      return parsed !== undefined && !kept.includes(parsed.kind);
    }),
    async claimShadow() {
      const foreign: string[] = [];
      if (await client.exists(SHADOW) === 0) {
        await names(async (found) => {
          foreign.push(...found);
          return Promise.resolve();
        });
      }
      if (foreign.length > 0) return false;
      await remove((name) => name !== SHADOW);
      await client.set(SHADOW, '1');
      return true;
    },
  };
  return faultsOf(upkeep);
}

/** Undefined for a key that the log cannot bring back. */
function parseName(name: string): { readonly shard: number; readonly kind: string } | undefined {
  const [, shard, kind] = NAME.exec(name) ?? [];
  if (shard === undefined || kind === undefined) return undefined;
  return NOT_FROM_THE_LOG.includes(kind) ? undefined : { shard: Number(shard), kind };
}

type Content = string | Readonly<Record<string, string>> | readonly string[];

async function contentOf(client: RedisClient, name: string): Promise<Content | undefined> {
  const store = client as Redis;
  switch (await store.type(name)) {
    case 'hash': return store.hgetall(name);
    case 'set': return (await store.smembers(name)).sort();
    case 'zset': return store.zrange(name, '0', '-1', 'WITHSCORES');
    case 'string': return (await store.get(name)) ?? undefined;
    default: return undefined;
  }
}

function hasEnded(token: Content, nowMs: number): boolean {
  return Number((token as Readonly<Record<string, string>>)['expires_at_ms']) <= nowMs;
}

/** Fields in the order of their names; a stop that the log does not know yet has not happened. */
function canonical(content: Content): string | undefined {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return JSON.stringify(content);
  const { stop_from, cancellation: _, ...fields } = content as Readonly<Record<string, string>>;
  const known = stop_from === undefined ? fields : { ...fields, epoch: stop_from };
  const lasting = Object.entries(known).filter(([name]) => !PASSING.test(name));
  if (lasting.length === 0) return undefined;
  return JSON.stringify(lasting.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function faultsOf(upkeep: StateUpkeep): StateUpkeep {
  const guarded = <Args extends unknown[], Result>(
    what: string, call: (...args: Args) => Promise<Result>,
  ) => async (...args: Args): Promise<Result> => {
    try {
      return await call(...args);
    } catch (error) {
      throw toFault(error, 'apply', what);
    }
  };
  return {
    scan: guarded('scan', (onEntries) => upkeep.scan(onEntries)),
    read: guarded('read', (wanted) => upkeep.read(wanted)),
    withdrawMarks: guarded('withdraw marks', () => upkeep.withdrawMarks()),
    clear: guarded('clear', (kept) => upkeep.clear(kept)),
    claimShadow: guarded('claim shadow', () => upkeep.claimShadow()),
  };
}
