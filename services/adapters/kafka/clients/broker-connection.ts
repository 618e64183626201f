import { produce, type ProducePart } from './produce-request.ts';
import type { Connection } from '@platformatic/kafka';

/** The way to one broker, which the partitions that it leads share. */
export interface BrokerConnection {
  /** Undefined when a batch may leave now; else resolves when those that gathered may. */
  room(): Promise<void> | undefined;
  /**
   * Resolves when every in-sync replica has the batch; at most one of a partition is in progress.
   */
  send(part: ProducePart): Promise<void>;
  close(): Promise<void>;
}

/** Limits of one way, in milliseconds. */
export interface BrokerConnectionLimits {
  readonly requestMsMax: number;
  /** How long batches gather at most while a request is in progress. */
  readonly gatherMsMax: number;
}

interface Waiting extends ProducePart {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens the connection to a broker. While a request is in progress, batches of all partitions
 * gather for the next one, because a request costs both sides more than what is in it. One that
 * takes longer than `gatherMsMax` holds no one up: the next goes over another connection, so that a
 * partition whose replicas are slow delays others by that long and no longer.
 */
export function openBrokerConnection(
  connect: () => Promise<Connection>, { requestMsMax, gatherMsMax }: BrokerConnectionLimits,
): BrokerConnection {
  const idle: Connection[] = [];
  const open = new Set<Connection>();
  let parts: Waiting[] = [];
  let gathering: { readonly waiters: (() => void)[] } | undefined;

  /** Lets others gather until the returned function is called, or until the time is over. */
  function gather(): () => void {
    if (gathering !== undefined) return () => undefined;
    const own = { waiters: [] as (() => void)[] };
    gathering = own;
    const end = (): void => {
      clearTimeout(timer);
      if (gathering !== own) return;
      gathering = undefined;
      for (const wake of own.waiters) wake();
    };
    const timer = setTimeout(end, gatherMsMax);
    return end;
  }

  async function fresh(): Promise<Connection> {
    for (let next = idle.pop(); next !== undefined; next = idle.pop()) {
      if (next.isConnected()) return next;
      open.delete(next);
    }
    const connection = await connect();
    open.add(connection);
    return connection;
  }

  async function leave(): Promise<void> {
    const load = parts;
    parts = [];
    const arrived = gather();
    let connection: Connection | undefined;
    try {
      connection = await fresh();
      const outcomes = await produce(connection, load, requestMsMax);
      idle.push(connection);
      arrived();
      for (const [at, { resolve, reject }] of load.entries()) {
        const error = outcomes[at];
        if (error === undefined) resolve();
        else reject(error);
      }
    } catch (error) {
      arrived();
      if (connection !== undefined) void drop(connection);
      for (const { reject } of load) reject(error);
    }
  }

  async function drop(connection: Connection): Promise<void> {
    open.delete(connection);
    await connection.close().catch(() => undefined);
  }

  return {
    room: () => (gathering === undefined ? undefined : new Promise((resolve) => {
      gathering?.waiters.push(resolve);
    })),
    send: (part) => new Promise((resolve, reject) => {
      parts.push({ ...part, resolve, reject });
      // After every callback of this tick, so that parts released together go in one request.
      if (parts.length === 1) setImmediate(() => void leave());
    }),
    close: async () => { await Promise.all([...open].map(drop)); },
  };
}
