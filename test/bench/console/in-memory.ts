import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../console/browser.ts';
import { openMemoryPlatform, type MemoryPlatform } from '../../console/memory-platform.ts';
import { openPage } from '../../console/watched-page.ts';
import type { ClientRecorded } from '../../../services/kernel/access.ts';
import { quantilesOf } from './quantiles.ts';

/** Of the browser, where the function that names it runs. */
declare function requestAnimationFrame(frame: () => void): number;

const SECOND_MS = 1_000;
/** Devices of one second come in so many parts, as those of a fleet do. */
const PARTS = 10;
const POLL_MS = 100;
const WARM_UP_MS = 5_000;

/** A fleet over stores and a log in memory; its devices are from 60° south to 60° north. */
interface Fleet {
  readonly platform: MemoryPlatform;
  readonly page: (onOpen: () => void) => Promise<{ page: Page; problems: readonly string[] }>;
  move(part: number, parts: number): void;
}

/** How long frames of the map take while each device moves once a second, in ms. */
export function measureFrames(devices: number, seconds: number): Promise<object> {
  return withFleet(devices, async (fleet) => {
    fleet.move(0, 1);
    const moving = moveEachSecond(fleet);
    try {
      const { page, problems } = await fleet.page(() => undefined);
      await untilDrawn(page, devices);
      await delay(WARM_UP_MS);
      const frames = await page.evaluate((lengthMs) => new Promise<readonly number[]>((resolve) => {
        const seen: number[] = [];
        let before = performance.now();
        const endMs = before + lengthMs;
        requestAnimationFrame(function frame(): void {
          const nowMs = performance.now();
          seen.push(nowMs - before);
          before = nowMs;
          if (nowMs < endMs) requestAnimationFrame(frame);
          else resolve(seen);
        });
      }), seconds * SECOND_MS);
      return { devices, seconds, frames: frames.length, frame_ms: quantilesOf(frames), problems };
    } finally {
      moving.abort();
    }
  });
}

/** From the click on a link until every device is on the map, in ms. */
export function measureFirstPicture(devices: number, rounds: number): Promise<object> {
  return withFleet(devices, async (fleet) => {
    fleet.move(0, 1);
    // The feed takes them into its next update.
    await delay(SECOND_MS);
    const waits: number[] = [];
    const found: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      let beganMs = 0;
      const { page, problems } = await fleet.page(() => { beganMs = performance.now(); });
      await untilDrawn(page, devices);
      waits.push(performance.now() - beganMs);
      found.push(...problems);
      await page.context().close();
    }
    return { devices, rounds, picture_ms: waits.map(Math.round), problems: found };
  });
}

async function withFleet(
  devices: number, work: (fleet: Fleet) => Promise<object>,
): Promise<object> {
  const [platform, browser] = await Promise.all([openMemoryPlatform(), openBrowser()]);
  try {
    const client = await platform.addClient();
    return await work(fleetOf(platform, client, devices, async (onOpen) => {
      const link = await platform.link('--operator');
      onOpen();
      return openPage(browser, link);
    }));
  } finally {
    await browser.close();
    await platform.close();
  }
}

function fleetOf(
  platform: MemoryPlatform, client: ClientRecorded, devices: number, page: Fleet['page'],
): Fleet {
  const ids = Array.from({ length: devices }, () => randomUUID());
  return {
    platform, page,
    move(part, parts) {
      for (let at = part; at < ids.length; at += parts) {
        platform.move({
          client, device: ids[at] ?? '',
          latitude: Math.random() * 120 - 60, longitude: Math.random() * 360 - 180,
        });
      }
    },
  };
}

function moveEachSecond(fleet: Fleet): AbortController {
  const left = new AbortController();
  let part = 0;
  const timer = setInterval(() => {
    fleet.move(part, PARTS);
    part = (part + 1) % PARTS;
  }, SECOND_MS / PARTS);
  left.signal.addEventListener('abort', () => { clearInterval(timer); });
  return left;
}

async function untilDrawn(page: Page, devices: number): Promise<void> {
  const drawn = (): Promise<number> => page.evaluate(() => {
    const { rastroDrawn } = globalThis as { rastroDrawn?: () => readonly unknown[] };
    return rastroDrawn?.().length ?? 0;
  });
  while (await drawn() < devices) await delay(POLL_MS);
}
