import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { consoleLink } from '../../../infra/local/demo/console-link.ts';
import { openBrowser } from '../../console/browser.ts';
import { openPage } from '../../console/watched-page.ts';
import { openBenchLog } from '../bench-log.ts';
import { openBenchCluster, type BenchCluster } from '../cluster.ts';
import { openShooter } from '../load/open-shooter.ts';
import type { LoadSender } from '../load/order.ts';
import { startOurGateway } from '../peers/our-gateways.ts';
import { firstSeconds } from '../seconds.ts';
import { quantilesOf } from './quantiles.ts';

/** Of the browser, where the function that names it runs. */
declare function requestAnimationFrame(frame: () => void): number;

const LOCATIONS = 10;
const LINES = 64;
const SECOND_MS = 1_000;
const WARM_UP_MS = 10_000;
const LAST_MS = 10_000;
const GATEWAY_PORT = 9_400;

/** What the page saw of the probe: its latitude, and when it was first drawn there. */
type Seen = readonly (readonly [latitude: number, atMs: number])[];

/**
 * From the 202 of a fix until the map draws it, in ms, with the whole stack, the load and the
 * browser on this machine. One device sends a fix each second, and the page reads its map at each
 * frame.
 */
export async function measureToPixel(
  port: number, locationsPerSecond: number, seconds: number,
): Promise<object> {
  const cluster = await openBenchCluster(port, locationsPerSecond);
  const log = openBenchLog(cluster.local.stack.env.KAFKA_BROKERS.split(','));
  const shooter = openShooter();
  const browser = await openBrowser();
  try {
    const gateway = await startOurGateway('rastro:live', GATEWAY_PORT, cluster, log);
    const url = `http://${gateway.host}:${gateway.port}`;
    const [probe, ...senders] = cluster.senders;
    if (probe === undefined) throw new Error('There is no device.');
    const link = await consoleLink({ operator: cluster.local.operator, url });
    const { page, problems } = await openPage(browser, link);
    shooter.fire({
      host: gateway.host, port: gateway.port, path: gateway.path, senders, lines: LINES,
      locations: LOCATIONS, postsPerSecond: locationsPerSecond / LOCATIONS,
      firstSecond: firstSeconds(Date.now())(),
    });
    await delay(WARM_UP_MS);
    const watching = watch(page, probe.deviceId, seconds * SECOND_MS + LAST_MS);
    const before = await shooter.tally();
    const beganMs = Date.now();
    const taken = await sendEachSecond(cluster, url, probe, seconds);
    const { accepted } = await shooter.tally();
    const rate = (accepted - before.accepted) * LOCATIONS * SECOND_MS / (Date.now() - beganMs);
    const seen = new Map(await watching);
    const waits = [...taken].map(([latitude, atMs]) => (seen.get(latitude) ?? Infinity) - atMs);
    return {
      locations_per_second: Math.round(rate), probes: waits.length, to_pixel_ms: quantilesOf(waits),
      unseen: waits.filter((wait) => wait === Infinity).length, problems,
    };
  } finally {
    await browser.close();
    await shooter.close();
    await log.close();
    await cluster.close();
  }
}

/** Sends a fix of the probe each second, and gives when each latitude was accepted. */
async function sendEachSecond(
  { path, local: { identity: { country } } }: BenchCluster, url: string,
  { deviceId, token }: LoadSender, seconds: number,
): Promise<ReadonlyMap<number, number>> {
  const taken = new Map<number, number>();
  for (let sent = 0; sent < seconds; sent += 1) {
    const timestamp = Math.floor(Date.now() / SECOND_MS);
    const latitude = sent / 10 - 40;
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        device_id: deviceId, post_timestamp: timestamp,
        locations: [{ timestamp, country_id: country, latitude, longitude: 10 }],
      }),
    });
    if (answer.status !== 202) throw new Error(`A probe was answered ${answer.status}.`);
    taken.set(Number(latitude.toFixed(1)), Date.now());
    await delay(SECOND_MS - Date.now() % SECOND_MS);
  }
  return taken;
}

/** Reads the map at each frame for so long. */
function watch(page: Page, probe: string, lengthMs: number): Promise<Seen> {
  return page.evaluate(({ id, forMs }) => new Promise<Seen>((resolve) => {
    const { rastroDrawn } = globalThis as unknown as {
      rastroDrawn: () => readonly { readonly id: string; readonly latitude: number }[];
    };
    const seen = new Map<number, number>();
    const endMs = performance.now() + forMs;
    requestAnimationFrame(function frame(): void {
      const device = rastroDrawn().find((each) => each.id === id);
      const latitude = device === undefined ? undefined : Number(device.latitude.toFixed(1));
      if (latitude !== undefined && !seen.has(latitude)) seen.set(latitude, Date.now());
      if (performance.now() < endMs) requestAnimationFrame(frame);
      else resolve([...seen]);
    });
  }), { id: probe, forMs: lengthMs });
}
