import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../infra/local/wait.ts';
import type { ClientRecorded } from '../../services/kernel/access.ts';
import { seriousFaults } from './accessibility.ts';
import { pixelsOf } from './colours.ts';
import type { MemoryPlatform } from './memory-platform.ts';
import { openPages } from './open-pages.ts';
import { drawnOn } from './watched-page.ts';

const WAIT_MS_MAX = 100_000;
/** Colours of a chosen device in the light theme: its ring, and each state. */
const RING = '0,0,0';
const DRAWN = [RING, '0,107,158', '51,51,51', '179,0,115'];
const REACH_PIXELS_MAX = 30;

let platform: MemoryPlatform;
let acme: ClientRecorded;
let devices: Readonly<Record<'moving' | 'stopped' | 'hot', string>>;

const pages = openPages(async (opened) => {
  platform = opened;
  acme = await platform.addClient();
  const [moving, stopped, hot] = [
    await platform.addDevice(acme), await platform.addDevice(acme), await platform.addDevice(acme),
  ];
  devices = { moving, stopped, hot };
  // Near and below each other, so that they are large and the panel of one covers none.
  platform.move({ client: acme, device: moving, latitude: 0, longitude: -60 });
  platform.move({ client: acme, device: stopped, latitude: -1, longitude: -60 });
  platform.move({ client: acme, device: hot, latitude: -2, longitude: -60 });
  platform.stop(acme, stopped);
  platform.overflow(hot, 'in');
});

const eventually = (what: string, holds: () => Promise<boolean>): Promise<void> => (
  waitFor(holds, { what, deadlineMs: WAIT_MS_MAX }));

const shows = (at: Page, states: Readonly<Record<string, string>>): Promise<void> => (
  eventually(`The map with ${JSON.stringify(states)}`, async () => {
    const drawn = Object.fromEntries((await drawnOn(at)).map(({ id, state }) => [id, state]));
    return JSON.stringify(Object.entries(drawn).toSorted())
      === JSON.stringify(Object.entries(states).toSorted());
  }));

const all = (): Readonly<Record<string, string>> => ({
  [devices.moving]: 'fresh', [devices.stopped]: 'stopped', [devices.hot]: 'overflow',
});

/** Which parts of the box around a chosen device are drawn, once its ring is. */
async function shapeOf(
  at: Page, id: string,
): Promise<{ readonly halfway: boolean; readonly corner: boolean }> {
  const { left, top } = (await drawnOn(at)).find((each) => each.id === id)!;
  let pixels: readonly string[] = [];
  const isDrawn = (off: number, down = 0): boolean => (
    DRAWN.includes(pixels[down * REACH_PIXELS_MAX + off] ?? ''));
  await eventually('The ring', async () => {
    pixels = await pixelsOf(at, {
      left: Math.round(left), top: Math.round(top),
      width: REACH_PIXELS_MAX, height: REACH_PIXELS_MAX,
    });
    return pixels.slice(0, REACH_PIXELS_MAX).includes(RING);
  });
  let reach = 1;
  while (isDrawn(reach + 1)) reach += 1;
  const [halfway, corner] = [Math.round(reach * 0.6), Math.floor(reach * 0.85)];
  return { halfway: isDrawn(halfway, halfway), corner: isDrawn(corner, corner) };
}

describe('devices that are stopped or in overflow', () => {
  it.each(['light', 'dark'] as const)('are on the map, in the legend and in the list in %s', async (colorScheme) => {
    const at = await pages.signedIn(['--operator'], { colorScheme });
    await shows(at, all());
    expect(await at.locator('.total').textContent()).toBe('3 devices');
    expect(await at.locator('fieldset label').allTextContents()).toEqual([
      'Fresh up to 5 minutes1', 'Late up to 1 hour0', 'Silent older0', 'Stopped for a day1',
      'In overflow stored later1',
    ]);
    await at.getByText('Nearest to the middle').press('Enter');
    await at.getByRole('button', { name: `${devices.stopped} Stopped` }).waitFor();
    await at.getByRole('button', { name: `${devices.hot} In overflow` }).waitFor();
    expect(await seriousFaults(at)).toEqual([]);
  });

  it('are hidden and shown by their own filters', async () => {
    const at = await pages.signedIn();
    await shows(at, all());
    await at.getByRole('checkbox', { name: 'Stopped' }).uncheck();
    await shows(at, { [devices.moving]: 'fresh', [devices.hot]: 'overflow' });
    await at.getByRole('checkbox', { name: 'In overflow' }).uncheck();
    await shows(at, { [devices.moving]: 'fresh' });
    await at.getByRole('checkbox', { name: 'Stopped' }).check();
    await shows(at, { [devices.moving]: 'fresh', [devices.stopped]: 'stopped' });
  });

  it('have a shape of their own: a disc, a square and a diamond', async () => {
    const at = await pages.signedIn(['--operator'], { colorScheme: 'light' });
    await shows(at, all());
    const shapes: Record<string, unknown> = {};
    for (const [name, id] of Object.entries(devices)) {
      const { left, top } = (await drawnOn(at)).find((each) => each.id === id)!;
      const { x, y } = (await at.locator('.map').boundingBox())!;
      await at.mouse.click(x + left, y + top);
      await at.getByRole('heading', { name: id }).waitFor();
      shapes[name] = await shapeOf(at, id);
    }
    // What of the box around the device is drawn: halfway to its corner, and near that.
    expect(shapes).toEqual({
      moving: { halfway: true, corner: false }, stopped: { halfway: true, corner: true },
      hot: { halfway: false, corner: false },
    });
  });

  it('say in their panel what that means, and no more once it is over', async () => {
    const at = await pages.signedIn(['--client', acme.client_id]);
    await shows(at, all());
    await at.getByText('Nearest to the middle').press('Enter');
    const panel = at.getByRole('complementary', { name: 'Device' });
    await at.getByRole('button', { name: devices.stopped }).click();
    await panel.getByText('What it sends is refused.').waitFor();
    await panel.getByText('Stopped', { exact: true }).waitFor();
    await at.getByRole('button', { name: devices.hot }).click();
    await panel.getByText('stored after those of others').waitFor();
    expect(await seriousFaults(at)).toEqual([]);
    platform.overflow(devices.hot, 'out');
    await shows(at, { ...all(), [devices.hot]: 'fresh' });
    await panel.getByText('Fresh', { exact: true }).waitFor();
    expect(await panel.getByText('stored after those of others').count()).toBe(0);
    platform.overflow(devices.hot, 'in');
    await shows(at, all());
  });
});
