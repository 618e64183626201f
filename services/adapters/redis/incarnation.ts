import type { Redis } from 'ioredis';
import type { Clock } from '../../kernel/clock.ts';
import { Unavailable, type Stage } from '../../kernel/unavailable.ts';
import type { Signals } from '../../kernel/signals.ts';
import { primariesOf, type RedisClient } from './connection.ts';
import { toFault } from './faults.ts';
import { keys, TAGS } from './keys.ts';

/**
 * Which running servers the connection talks to. The ready marks name the incarnation they were set
 * on: a server that was restarted, restored from a snapshot or promoted may have lost the newest
 * denials, whatever marks it still has (failure model R1, R5, R6).
 */
export interface Incarnation {
  /** True in each shard's mark when it was set on the servers that run now. */
  isMarked(markOf: (tag: string) => string): Promise<boolean>;
  /** Keeps the name of the servers as a rebuild begins; what it marks is marked with it. */
  begin(): Promise<void>;
  /** The name that `begin` kept; undefined before, and once the connection was interrupted. */
  begun(): string | undefined;
  /**
   * Resolves when this connection may be believed. Rejects with `Unavailable` `state_not_ready`
   * while the marks are of another incarnation, and with `state_unavailable` when that cannot be
   * found out.
   */
  require(stage: Stage): Promise<void>;
  /** True when nothing has happened to the connection since it was found good. */
  isTrusted(): boolean;
}

/** How often at most a connection that is not believed asks again, in milliseconds. */
const ASK_MS_MIN = 50;

/** Watches the connection: an interruption takes the trust away until the marks are read again. */
export function createIncarnation(
  client: RedisClient, ports: { readonly clock: Clock; readonly signals: Signals },
): Incarnation {
  const { clock, signals } = ports;
  let trusted: readonly Redis[] | undefined;
  let interruptions = 0;
  let begun: string | undefined;
  let asking: Promise<boolean> | undefined;
  let askedAtMs = -ASK_MS_MIN;

  function distrust(): void {
    trusted = undefined;
    begun = undefined;
    interruptions += 1;
    askedAtMs = -ASK_MS_MIN;
  }
  for (const event of ['close', '+node', '-node']) client.on(event, distrust);

  /**
   * A node that says MOVED makes another one a primary without any event, in the midst of a call
   * that is then answered by the other: by a replica that was promoted, and may know less.
   */
  function isTrusted(): boolean {
    if (trusted !== undefined && !isSame(trusted, primariesOf(client))) distrust();
    return trusted !== undefined;
  }

  async function read(): Promise<string> {
    const texts = await Promise.all(
      primariesOf(client).map((node) => node.info('server', 'replication')),
    );
    return texts.map(lifeIn).sort().join(' ');
  }

  async function checkMarks(
    markOf: (tag: string) => string, isGood: (mark: string | null, name: string) => boolean,
  ): Promise<boolean> {
    try {
      const [name, marks] = await Promise.all([read(), readEach(client, TAGS.map(markOf))]);
      return name !== '' && marks.every((mark) => isGood(mark, name));
    } catch (error) {
      throw toFault(error, 'apply', 'read marks');
    }
  }

  /**
   * A missing mark is no reason for distrust: each script tests the mark of its own shard. An
   * interruption while the question is in progress makes the answer worthless.
   */
  async function ask(): Promise<boolean> {
    const [before, asked] = [interruptions, primariesOf(client)];
    const isOurs = await checkMarks(keys.ready, (mark, name) => mark === null || mark === name);
    const answer = isOurs && before === interruptions && isSame(asked, primariesOf(client));
    askedAtMs = clock.nowMs();
    if (answer && trusted === undefined) signals.stateTrusted();
    trusted = answer ? asked : undefined;
    return answer;
  }

  return {
    isMarked: (markOf) => checkMarks(markOf, (mark, name) => mark === name),
    isTrusted,
    begin: async () => {
      const before = interruptions;
      try {
        const name = await read();
        begun = before === interruptions ? name : undefined;
      } catch (error) {
        throw toFault(error, 'apply', 'read the name of the server');
      }
    },
    begun: () => begun,
    require: async (stage) => {
      const isTooSoon = clock.nowMs() - askedAtMs < ASK_MS_MIN;
      if (asking === undefined && !isTooSoon) {
        asking = ask().finally(() => { asking = undefined; });
      }
      if (await asking) return;
      throw new Unavailable('state_not_ready', stage, 'the state was marked on another server');
    },
  };
}

function isSame(some: readonly Redis[], others: readonly Redis[]): boolean {
  return some.length === others.length && others.every((server) => some.includes(server));
}

/** Texts of keys in as many shards, in order. */
export function readEach(
  client: RedisClient, names: readonly string[],
): Promise<readonly (string | null)[]> {
  if (!('nodes' in client)) return client.mget(...names);
  return Promise.all(names.map((name) => client.get(name)));
}

/**
 * The process and its history: a primary that was replaced and took over again is the same process
 * with the history of the one between.
 */
function lifeIn(info: string): string {
  const [, process = ''] = /^run_id:(\w+)/m.exec(info) ?? [];
  const [, history = ''] = /^master_replid:(\w+)/m.exec(info) ?? [];
  return process === '' ? '' : `${process}:${history}`;
}
