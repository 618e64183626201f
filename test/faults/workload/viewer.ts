import { setTimeout as delay } from 'node:timers/promises';
import type { ViewerRecord, ViewLine } from '../run-files.ts';
import type { GatewayAddress } from './balancer.ts';
import { nowNs, type LineWriter } from './history-writer.ts';
import { eventsIn } from './sse-events.ts';

/** Who follows a live feed, and where. */
export interface ViewerWishes extends ViewerRecord {
  /** With its query. */
  readonly path: string;
  readonly token: string;
  /** The copies that it calls, the next one whenever a line has ended. */
  readonly copies: readonly Pick<GatewayAddress, 'name' | 'url'>[];
  /** For how many milliseconds it holds a line before it leaves that; for good when absent. */
  readonly holdsMs?: () => number;
}

/** A caller that follows a feed until it is closed. */
export interface LiveViewer {
  close(): Promise<void>;
}

const REPEAT_MS = 1_000;
const SECOND_MS = 1_000;

/**
 * Follows a feed as a browser does: it calls again a second after its line ended, or when the
 * answer says, with the id of the last event. What it saw is written down; it keeps no map itself.
 */
export function startViewer(wishes: ViewerWishes, record: LineWriter<ViewLine>): LiveViewer {
  const { name, path, token, copies, holdsMs } = wishes;
  const leaving = new AbortController();
  let lastId: string | undefined;

  async function follow({ name: gateway, url }: ViewerWishes['copies'][number]): Promise<number> {
    const write = (line: Pick<ViewLine, 'event' | 'begins' | 'status' | 'data'>): void => {
      record.write({ t_ns: nowNs(), viewer: name, gateway, ...line });
    };
    const holding = new AbortController();
    const timer = holdsMs === undefined
      ? undefined : setTimeout(() => { holding.abort(); }, holdsMs());
    const begins = lastId === undefined || lastId === '';
    let waitMs = REPEAT_MS;
    try {
      const answer = await fetch(url + path, {
        signal: AbortSignal.any([leaving.signal, holding.signal]),
        headers: {
          authorization: `Bearer ${token}`,
          ...(begins ? {} : { 'last-event-id': lastId ?? '' }),
        },
      });
      write({ event: 'answer', status: answer.status, ...(begins ? { begins } : {}) });
      if (!answer.ok) {
        await answer.body?.cancel();
        waitMs = Number(answer.headers.get('retry-after') ?? 1) * SECOND_MS;
        return waitMs;
      }
      for await (const { id, event, data } of eventsIn(answer.body)) {
        write({ event, data });
        lastId = id ?? lastId;
      }
    } catch { /* The line was cut, or left: it goes on behind the last event. */
    } finally {
      clearTimeout(timer);
      write({ event: 'end' });
    }
    return waitMs;
  }

  async function live(): Promise<void> {
    for (let nth = 0; !leaving.signal.aborted; nth += 1) {
      const copy = copies[nth % copies.length];
      if (copy === undefined) throw new Error(`${name} has no copy to call.`);
      const waitMs = await follow(copy);
      await delay(waitMs, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  }

  const ended = live();
  return {
    async close() {
      leaving.abort();
      await ended;
    },
  };
}
