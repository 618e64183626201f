import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../infra/local/wait.ts';
import type { ClientRecorded } from '../../services/kernel/access.ts';
import { seriousFaults } from './accessibility.ts';
import type { MemoryPlatform } from './memory-platform.ts';
import { openPages } from './open-pages.ts';
import { drawnOn } from './watched-page.ts';

const WAIT_MS_MAX = 100_000;
/** The points of the graphics card have so many bits that they are right to a few metres. */
const DEGREES = 4;

let platform: MemoryPlatform;
let acme: ClientRecorded;
let other: ClientRecorded;
let devices: readonly [string, string, string];

const pages = openPages(async (opened) => {
  platform = opened;
  [acme, other] = [await platform.addClient(), await platform.addClient()];
  devices = [
    await platform.addDevice(acme), await platform.addDevice(acme), await platform.addDevice(other),
  ];
  platform.move({ client: acme, device: devices[0], latitude: -23.55, longitude: -46.63 });
  platform.move({ client: acme, device: devices[1], latitude: 52.52, longitude: 13.4 });
  platform.move({ client: other, device: devices[2], latitude: -33.87, longitude: 151.21 });
});

function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  return waitFor(holds, { what, deadlineMs: WAIT_MS_MAX });
}

const rounded = (devices: readonly { id: string; latitude: number; longitude: number }[]) => (
  Object.fromEntries(devices.map(({ id, latitude, longitude }) => (
    [id, [latitude.toFixed(DEGREES), longitude.toFixed(DEGREES)].map(Number)])))
);
const shows = (at: Page, positions: Readonly<Record<string, readonly number[]>>) => (
  eventually(`The map with ${JSON.stringify(positions)}`, async () => (
    JSON.stringify(Object.entries(rounded(await drawnOn(at))).toSorted())
      === JSON.stringify(Object.entries(positions).toSorted())))
);

describe('the fleet on the map', () => {
  it('is every device of every client at its last position, for the operator, and moves', async () => {
    const at = await pages.signedIn();
    await shows(at, {
      [devices[0]]: [-23.55, -46.63], [devices[1]]: [52.52, 13.4], [devices[2]]: [-33.87, 151.21],
    });
    expect(await at.locator('.total').textContent()).toBe('3 devices');
    expect(new URL(at.url()).hash).toBe('');
    platform.move({
      client: acme, device: devices[1], latitude: 48.85, longitude: 2.35, ageSeconds: -1,
    });
    await shows(at, {
      [devices[0]]: [-23.55, -46.63], [devices[1]]: [48.85, 2.35], [devices[2]]: [-33.87, 151.21],
    });
  });

  it('is its own devices alone for a client, and opens where they are', async () => {
    const at = await pages.signedIn(['--client', other.client_id]);
    await shows(at, { [devices[2]]: [-33.87, 151.21] });
    const { width, height } = (await at.locator('.map').boundingBox())!;
    // In the middle of what the panel leaves free.
    await eventually('The first view', async () => {
      const [{ left, top } = { left: 0, top: 0 }] = await drawnOn(at);
      return Math.abs(left - (320 + width - 48) / 2) < 2 && Math.abs(top - height / 2) < 2;
    });
  });

  it('leaves out what a filter hides, and counts it', async () => {
    const at = await pages.signedIn();
    await eventually('All devices', async () => (await drawnOn(at)).length === 3);
    await at.getByRole('checkbox', { name: 'Fresh' }).uncheck();
    await eventually('No device', async () => (await drawnOn(at)).length === 0);
    expect(await at.locator('.total').textContent()).toBe('3 devices');
    await at.getByRole('checkbox', { name: 'Fresh' }).check();
    const provider = at.getByRole('searchbox', { name: 'Provider' });
    await provider.fill('unknown');
    await provider.press('Enter');
    await eventually('No device of it', async () => (
      await at.locator('.total').textContent() === '0 devices'));
  });

  it('opens a device where it is clicked, and from the list by keyboard', async () => {
    const at = await pages.signedIn();
    await eventually('All devices', async () => (await drawnOn(at)).length === 3);
    const box = (await at.locator('.map canvas').boundingBox())!;
    const { left, top } = (await drawnOn(at)).find(({ id }) => id === devices[0])!;
    await at.mouse.click(box.x + left, box.y + top);
    const panel = at.getByRole('complementary', { name: 'Device' });
    await panel.getByRole('heading', { name: devices[0] }).waitFor();
    await panel.getByText('-23.55000, -46.63000').waitFor();
    await panel.getByText('active', { exact: true }).first().waitFor();
    expect(await seriousFaults(at)).toEqual([]);
    await panel.getByRole('button', { name: 'Close' }).press('Enter');
    await panel.waitFor({ state: 'hidden' });
    await at.getByText('Nearest to the middle').press('Enter');
    await at.getByRole('button', { name: devices[2] }).press('Enter');
    await panel.getByRole('heading', { name: devices[2] }).waitFor();
  });
});

describe('a browser', () => {
  it('is signed in once by a link, keeps no token where a script finds it, and is signed out', async () => {
    const link = await platform.link('--operator');
    const at = await pages.open(link);
    await at.getByText('Signed in as Operators in the console').waitFor();
    expect(await at.evaluate('document.cookie')).toBe('');
    const [cookie, another] = await at.context().cookies();
    expect([cookie?.httpOnly, cookie?.sameSite, another]).toEqual([true, 'Strict', undefined]);
    const late = await pages.open(link);
    await late.getByRole('heading', { name: 'Sign in' }).waitFor();
    await late.getByText('rastro console link').waitFor();
    await at.getByRole('button', { name: 'Sign out' }).click();
    await at.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await at.context().cookies()).toEqual([]);
    const kept = await fetch(`${platform.edge.url}/console/session`, {
      headers: { cookie: `${cookie?.name ?? ''}=${cookie?.value ?? ''}` },
    });
    expect(kept.status).toBe(403);
  });

  it.each([[390, 844, 'light'], [390, 844, 'dark'], [1_280, 800, 'dark'], [3_840, 2_160, 'light']] as const)(
    'of %d × %d pixels that is %s shows all, and no way to the side', async (width, height, theme) => {
      const at = await pages.signedIn(['--operator'], { viewport: { width, height }, colorScheme: theme });
      await eventually('All devices', async () => (await drawnOn(at)).length === 3);
      const sideways = await at.evaluate('document.documentElement.scrollWidth');
      const shown = await at.locator('html').getAttribute('data-theme');
      expect([sideways, shown]).toEqual([width, theme]);
      const map = (await at.locator('.map').boundingBox())!;
      expect([map.width, map.height > height / 3]).toEqual([width, true]);
      expect(await seriousFaults(at)).toEqual([]);
    },
  );

  it('has faults when a field and a link have no name', async () => {
    const at = await pages.signedIn();
    // The script of the page replaces its body first.
    await eventually('All devices', async () => (await drawnOn(at)).length === 3);
    await at.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<input id="nameless"><a href="#nowhere"></a>')`);
    expect((await seriousFaults(at)).map((fault) => fault.split(':')[0]))
      .toEqual(['label', 'link-name']);
  });
});
