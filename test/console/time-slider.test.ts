import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../infra/local/wait.ts';
import type { ClientRecorded } from '../../services/kernel/access.ts';
import { aPastFix } from '../support/fake-past-fleet.ts';
import { seriousFaults } from './accessibility.ts';
import type { MemoryPlatform } from './memory-platform.ts';
import { openPages } from './open-pages.ts';
import { drawnOn } from './watched-page.ts';

const WAIT_MS_MAX = 100_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAY_MINUTES = 1_440;
const YESTERDAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
const TABS_MAX = 12;

let platform: MemoryPlatform;
let acme: ClientRecorded;
let device: string;

const pages = openPages(async (opened) => {
  platform = opened;
  acme = await platform.addClient();
  device = await platform.addDevice(acme);
  platform.move({ client: acme, device, latitude: 10, longitude: 20 });
  // One position at the begin of yesterday, one in its second minute, one in its last.
  platform.pastFleet.fixes.push(...[[30, 0], [40, 1], [50, DAY_MINUTES - 1]].map(
    ([latitude = 0, minutes = 0]) => aPastFix({
      device_id: device, client_id: acme.client_id, latitude,
      timestamp: (YESTERDAY_MS + minutes * MINUTE_MS) / 1_000,
    }),
  ));
});

const eventually = (what: string, holds: () => Promise<boolean>): Promise<void> => (
  waitFor(holds, { what, deadlineMs: WAIT_MS_MAX }));
const shows = (at: Page, latitude: number): Promise<void> => (
  eventually(`The map at ${latitude}`, async () => (
    (await drawnOn(at)).map((each) => Math.round(each.latitude)).join() === String(latitude))));

const minuteOf = (at: Page): Locator => at.getByRole('slider', { name: 'Minute of the day (UTC)' });
/** What has the focus, and the ring that shows it. */
const FOCUSED = `[
  document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent,
  getComputedStyle(document.activeElement).outlineStyle,
]`;

/** Goes on by the tabulator until this has the focus, as who has no mouse does. */
async function tabTo(at: Page, wanted: string): Promise<void> {
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    const [name, ring] = await at.evaluate<readonly string[]>(FOCUSED);
    if (name === wanted) {
      expect(ring).toBe('solid');
      return;
    }
    await at.keyboard.press('Tab');
  }
  throw new Error('The tabulator does not get there.');
}

describe('the time slider by keyboard', () => {
  it('is reached, moves one minute a key, to both ends of a day, and back to now', async () => {
    const at = await pages.signedIn();
    await shows(at, 10);
    await at.getByLabel('Day', { exact: true }).fill(new Date(YESTERDAY_MS).toISOString().slice(0, 10));
    await at.getByRole('button', { name: 'Play' }).focus();
    const minute = minuteOf(at);
    await tabTo(at, 'Minute of the day (UTC)');
    await at.keyboard.press('Home');
    await shows(at, 30);
    const day = new Date(YESTERDAY_MS).toISOString().slice(0, 10);
    expect(await minute.getAttribute('aria-valuetext')).toBe(`${day} 00:00`);
    await at.keyboard.press('ArrowRight');
    await shows(at, 40);
    expect(await minute.getAttribute('aria-valuetext')).toBe(`${day} 00:01`);
    await at.keyboard.press('End');
    await shows(at, 50);
    await at.keyboard.press('ArrowLeft');
    await shows(at, 40);
    expect(await seriousFaults(at)).toEqual([]);
    await tabTo(at, 'Back to live');
    await at.keyboard.press('Enter');
    await shows(at, 10);
    await at.getByText('Live', { exact: true }).first().waitFor();
  });

  it('begins at the minute that it is now, however long the page was open', async () => {
    const at = await pages.signedIn();
    await shows(at, 10);
    const laterMs = Date.now() + 30 * MINUTE_MS;
    await at.clock.setFixedTime(laterMs);
    const [day, time = ''] = new Date(laterMs).toISOString().slice(0, 16).split('T');
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    await eventually('The minute of now', async () => (
      await minuteOf(at).inputValue() === String(hours * 60 + minutes)));
    expect(await minuteOf(at).getAttribute('aria-valuetext')).toBe(`${day ?? ''} ${time}`);
    expect(await at.getByLabel('Day', { exact: true }).inputValue()).toBe(day);
  });
});
