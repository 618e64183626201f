import type { Page } from 'playwright-core';
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
const YESTERDAY_MS = Math.floor((Date.now() - 86_400_000) / MINUTE_MS) * MINUTE_MS;
const NEVER_SEEN = '0193a5c0-0000-7000-8000-000000000001';

let platform: MemoryPlatform;
let acme: ClientRecorded;
let device: string;

const pages = openPages(async (opened) => {
  platform = opened;
  acme = await platform.addClient();
  device = await platform.addDevice(acme);
  platform.move({ client: acme, device, latitude: 10, longitude: 20 });
});

const latitudesOf = async (at: Page): Promise<readonly number[]> => (
  (await drawnOn(at)).map(({ latitude }) => Math.round(latitude)));
const shows = (at: Page, latitudes: readonly number[]): Promise<void> => waitFor(
  async () => JSON.stringify(await latitudesOf(at)) === JSON.stringify(latitudes),
  { what: `The map at ${latitudes.join()}`, deadlineMs: WAIT_MS_MAX },
);

describe('the slider', () => {
  it('shows the fleet of a minute, goes on from there as it plays, and comes back to now', async () => {
    platform.pastFleet.fixes.push(
      ...[[30, 0], [40, 10]].map(([latitude = 0, minutes = 0]) => aPastFix({
        device_id: device, client_id: acme.client_id, latitude,
        timestamp: (YESTERDAY_MS + minutes * MINUTE_MS) / 1_000,
      })),
    );
    const at = await pages.signedIn();
    await shows(at, [10]);
    await at.getByLabel('Day', { exact: true }).fill(new Date(YESTERDAY_MS).toISOString().slice(0, 10));
    const minutes = (YESTERDAY_MS % 86_400_000) / MINUTE_MS;
    await at.getByLabel('Minute of the day (UTC)').fill(String(minutes));
    await shows(at, [30]);
    await at.getByLabel('Speed').selectOption('×600');
    await at.getByRole('button', { name: 'Play' }).click();
    await shows(at, [40]);
    await at.getByRole('button', { name: 'Back to live' }).click();
    await shows(at, [10]);
  });

  it('says why there is nothing to show', async () => {
    const at = await pages.signedIn();
    await shows(at, [10]);
    platform.pastFleet.lose();
    await at.getByRole('button', { name: 'Play' }).click();
    await at.getByText('No positions of then').waitFor();
    expect(pages.takeProblems().join()).toContain('status of 500');
  });
});

describe('find', () => {
  it('leads to a device by its id, and from there to the map', async () => {
    const at = await pages.signedIn();
    await at.getByRole('link', { name: 'Find' }).press('Enter');
    const input = at.getByRole('searchbox', { name: 'Paste an id' });
    await input.fill(` ${device} `);
    await input.press('Enter');
    await at.getByRole('heading', { name: `Device ${device}` }).waitFor();
    await at.getByText(acme.client_id).waitFor();
    expect(await seriousFaults(at)).toEqual([]);
    await at.getByRole('link', { name: 'Show on map' }).click();
    await at.getByRole('complementary', { name: 'Device' }).getByText('10.00000, 20.00000').waitFor();
  });

  it('leads to a device by the name that its provider gives it', async () => {
    const named = await platform.addDevice(acme, 'B-XY 1/2');
    const at = await pages.signedIn();
    await at.goto(`${platform.edge.url}/console/#/find/${encodeURIComponent('B-XY 1/2')}`);
    await at.getByRole('heading', { name: `Device ${named}` }).waitFor();
  });

  it('says what is known under no name', async () => {
    const at = await pages.signedIn();
    await at.goto(`${platform.edge.url}/console/#/find/${NEVER_SEEN}`);
    await at.getByText(`Nothing is known as ${NEVER_SEEN}.`).waitFor();
    expect(await seriousFaults(at)).toEqual([]);
  });
});
