import { setTimeout as delay } from 'node:timers/promises';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import { callAt } from '../../support/platform-calls.ts';
import { addClient, tokenOf } from './new-client.ts';

/** What the honest viewer saw in a span of time. */
export interface ViewerFigures {
  /** The longest time without an update of positions. */
  readonly silentMsMax: number;
  /** Pictures of a past minute that it did not get. */
  readonly failedPictures: number;
}

/** A viewer of the platform, who follows the whole fleet and asks for its past. */
export interface HonestViewer {
  /** What was seen since this was asked last. */
  seen(): ViewerFigures;
  close(): Promise<void>;
}

const MAP = '/platform/live/positions';
const PICTURE_EVERY_MS = 5_000;
const PICTURE_MS_MAX = 5_000;
const REPEAT_MS = 1_000;
const MINUTE_MS = 60_000;

/** Starts the viewer, with a client of its own. */
export async function startViewer(cluster: TestCluster): Promise<HonestViewer> {
  const live = cluster.urlOf('gateway-live');
  const client = await addClient(cluster.operator, [
    '--name', 'Viewer', '--user', 'viewer', '--audience', 'platform', '--scope', 'platform:read',
  ]);
  const token = await tokenOf(cluster.gateways[0]?.url ?? '', client, 'platform');
  const leaving = new AbortController();
  const { signal } = leaving;
  let lastMs = performance.now();
  let silentMsMax = 0;
  let failedPictures = 0;

  function updated(): void {
    const nowMs = performance.now();
    silentMsMax = Math.max(silentMsMax, nowMs - lastMs);
    lastMs = nowMs;
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        const { body } = await fetch(live + MAP, {
          headers: { authorization: `Bearer ${token}` }, signal,
        });
        for await (const chunk of body ?? []) {
          if (Buffer.from(chunk).includes('event: positions')) updated();
        }
      } catch { /* The line was cut: it is opened again. */ }
      await delay(REPEAT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async function askForPictures(): Promise<void> {
    while (!signal.aborted) {
      const at = new Date(Date.now() - MINUTE_MS).toISOString();
      const picture = await callAt(live, `/platform/live/fleet?at=${at}`, {
        method: 'GET', token, msMax: PICTURE_MS_MAX,
      }).catch(() => undefined);
      failedPictures += picture?.status === 200 || signal.aborted ? 0 : 1;
      await delay(PICTURE_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const ended = Promise.all([follow(), askForPictures()]);
  return {
    seen() {
      const seen = {
        silentMsMax: Math.round(Math.max(silentMsMax, performance.now() - lastMs)), failedPictures,
      };
      [silentMsMax, failedPictures] = [0, 0];
      return seen;
    },
    async close() {
      leaving.abort();
      await ended;
    },
  };
}
