import type { ServerResponse } from 'node:http';
import { createBoundedCache } from '../../kernel/bounded-cache.ts';
import type { Clock } from '../../kernel/clock.ts';

/** How much of a gateway one client may fill while others call too. */
export interface ClientConcurrencyConfig {
  /**
   * Calls of one client that are in progress at once while others call; a lone one has no limit.
   */
  readonly clientCallsMax: number;
  /** For how long after a call its client counts as one who calls, in ms. */
  readonly activeMs: number;
  /** Longest time for which a call is parked, in ms. */
  readonly parkedMsMax: number;
  /** Calls of all clients that are parked together; beyond it they go on at once. */
  readonly parkedMax: number;
}

/** The slot of one call. */
export interface Slot {
  /** Absent when the call may go on; else resolves when it may, or when its caller hung up. */
  readonly begins: Promise<void> | undefined;
  /**
   * To be called once, when the call is admitted or refused; names its client, if admission knows
   * it.
   */
  end(clientId: string | undefined): void;
}

/** Takes a slot for a call with a token, which is known by its hash. */
export type TakeSlot = (tokenHash: string, response: ServerResponse) => Slot;

interface Client {
  underWay: number;
  /** First come, first served. */
  readonly parked: Set<() => void>;
}

const TOKENS_MAX = 4_096;

/** Callers that admission has not seen yet: all strangers share one limit and delay no one else. */
const STRANGERS = '';

/**
 * Makes what keeps one client from filling the gateway before others: while others call, so many of
 * its calls are in progress, and the rest are parked until one of them is admitted. Parked is not
 * refused: when its slot comes, the store admits such a call or refuses it.
 */
export function createClientConcurrency(config: ClientConcurrencyConfig, clock: Clock): TakeSlot {
  const { clientCallsMax, activeMs, parkedMsMax, parkedMax } = config;
  const clients = new Map<string, Client>();
  const clientOfToken = createBoundedCache<string, string>(TOKENS_MAX);
  /** Who called last, and who called before it. */
  let last = { name: STRANGERS, atMs: -Infinity };
  let before = last;
  let parked = 0;

  function recordCall(name: string): void {
    if (name === STRANGERS) return;
    if (last.name === name) last.atMs = clock.nowMs();
    else [before, last] = [last, { name, atMs: clock.nowMs() }];
  }

  function isAlone(name: string): boolean {
    const other = last.name === name ? before : last;
    return clock.nowMs() - other.atMs > activeMs;
  }

  function mayGo(name: string, { underWay }: Client): boolean {
    return underWay < clientCallsMax || isAlone(name);
  }

  function park(client: Client, response: ServerResponse): Promise<void> {
    parked += 1;
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        response.off('close', go);
        client.parked.delete(go);
        client.underWay += 1;
        parked -= 1;
        resolve();
      };
      const timer = setTimeout(go, parkedMsMax);
      response.once('close', go);
      client.parked.add(go);
    });
  }

  function clientOf(name: string): Client {
    let client = clients.get(name);
    if (client === undefined) {
      client = { underWay: 0, parked: new Set() };
      clients.set(name, client);
    }
    return client;
  }

  function leave(name: string, client: Client): void {
    client.underWay -= 1;
    for (const go of client.parked) {
      if (!mayGo(name, client)) return;
      go();
    }
    if (client.underWay === 0) clients.delete(name);
  }

  return (tokenHash, response) => {
    const name = clientOfToken.get(tokenHash) ?? STRANGERS;
    const client = clientOf(name);
    recordCall(name);
    const goesOn = mayGo(name, client) || parked >= parkedMax;
    if (goesOn) client.underWay += 1;
    return {
      begins: goesOn ? undefined : park(client, response),
      end(clientId) {
        if (clientId !== undefined && clientId !== name) {
          clientOfToken.set(tokenHash, clientId);
        }
        leave(name, client);
      },
    };
  };
}
