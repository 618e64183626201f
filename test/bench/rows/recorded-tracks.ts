import { setTimeout as delay } from 'node:timers/promises';
import { readLibrary } from '../../../services/provider/readers/library.ts';
import type { Track } from '../../../services/provider/readers/track.ts';
import type { BenchCluster } from '../cluster.ts';
import { untilLevel } from '../level.ts';
import type { LoadSender } from '../load/order.ts';
import { readySenders } from '../senders.ts';

const POST_FIXES = 200;
const AT_ONCE = 8;
const RETRY_MS = 250;
const DAY_S = 86_400;

/**
 * Posts every recorded drive of the provider's library, a device each, and waits until the tables
 * have what was accepted. Times are shifted by whole days, so that the youngest fix is of yesterday
 * and none is too old to be kept; a post that is refused for its bad values is left out.
 */
export async function postRecordedTracks(cluster: BenchCluster): Promise<void> {
  const tracks = await readLibrary([]);
  const senders = await readySenders(cluster.local, tracks.length, 'recorded');
  const waiting = tracks.flatMap((track, at) => {
    const sender = senders[at];
    return sender === undefined ? [] : [{ sender, bodies: bodiesOf(track, sender) }];
  });
  const url = cluster.local.url + cluster.path;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const body of next.bodies) await send(url, next.sender, body);
    }
  }));
  await untilLevel(cluster);
}

function bodiesOf(
  { fixes }: Track, { deviceId }: LoadSender,
): readonly string[] {
  const youngest = Math.max(...fixes.map(({ timestamp }) => timestamp));
  const days = Math.floor((Date.now() / 1_000 - youngest) / DAY_S) - 1;
  const shifted = fixes.map((fix) => ({
    ...fix, timestamp: fix.timestamp + days * DAY_S,
    ...(fix.telemetry === undefined ? {} : {
      telemetry: {
        ...fix.telemetry, timestamp: fix.telemetry.timestamp + days * DAY_S,
      },
    }),
  }));
  return Array.from({ length: Math.ceil(shifted.length / POST_FIXES) }, (_, nth) => {
    const locations = shifted.slice(nth * POST_FIXES, (nth + 1) * POST_FIXES);
    return JSON.stringify({
      device_id: deviceId, post_timestamp: locations.at(-1)?.timestamp, locations,
    });
  });
}

async function send(url: string, { token }: LoadSender, body: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url, {
      method: 'POST', body,
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    });
    await answer.body?.cancel();
    if (answer.status < 500) return;
    await delay(RETRY_MS);
  }
}
