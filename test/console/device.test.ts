import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../infra/local/wait.ts';
import type { ClientRecorded } from '../../services/kernel/access.ts';
import { anOutcome } from '../support/fake-item-outcomes.ts';
import type { SentTrackFix } from '../support/fake-device-tracks.ts';
import { seriousFaults } from './accessibility.ts';
import type { MemoryPlatform } from './memory-platform.ts';
import { openPages } from './open-pages.ts';
import { trackOn } from './watched-page.ts';

const WAIT_MS_MAX = 100_000;
const DAY_MS = 86_400_000;
/** Eight in the morning of the day before. */
const MORNING_S = (Math.floor(Date.now() / DAY_MS) - 1) * 86_400 + 8 * 3_600;

let platform: MemoryPlatform;
let acme: ClientRecorded;
let other: ClientRecorded;
let device: string;

/** Ten minutes of a way to the north, a gap of half an hour, and a fix that is astray. */
const WAY: readonly SentTrackFix[] = [
  ...Array.from({ length: 10 }, (_, minute) => fix(minute * 60, {
    latitude: 10 + minute / 100, telemetry: { speed: 60, ignition: true, fuel_level: 70 - minute },
  })),
  fix(2_400, { latitude: 10.1, telemetry: { speed: 0, ignition: false } }),
  fix(2_460, { latitude: 11.5 }), fix(2_520, { latitude: 10.1 }),
];

function fix(at: number, more: Partial<SentTrackFix> = {}): SentTrackFix {
  return { timestamp: MORNING_S + at, latitude: 10, longitude: 20, ...more };
}

const pages = openPages(async (opened) => {
  platform = opened;
  [acme, other] = [await platform.addClient(), await platform.addClient()];
  device = await platform.addDevice(acme);
  platform.deviceTracks.send(...WAY.map((each) => ({
    device, client: acme.client_id, receivedAtMs: (each.timestamp + 3) * 1_000, fixes: [each],
  })), ...[{ fixes: WAY.slice(0, 1), at: 2_600 }, { fixes: [fix(-500 * 86_400)], at: 2_700 }]
    .map(({ fixes, at }) => ({
      device, client: acme.client_id, receivedAtMs: (MORNING_S + at) * 1_000, fixes,
    })));
});

/** The page of a device, on the day before, signed in by a link with these words. */
async function pageOf(...words: readonly string[]): Promise<Page> {
  const at = await pages.signedIn(words);
  await at.goto(`${platform.edge.url}/console/#/device/${encodeURIComponent(device)}`);
  return at;
}

async function trackOfYesterday(...words: readonly string[]): Promise<Page> {
  const at = await pageOf(...words.length === 0 ? ['--operator'] : words);
  await at.getByText('No fix on this day').waitFor();
  await at.getByRole('button', { name: 'Day before' }).click();
  await at.getByText('13 fixes', { exact: true }).waitFor();
  return at;
}

const cursorOf = (at: Page) => at.getByRole('slider', { name: 'Cursor over the track' });
const wordsOf = (at: Page) => cursorOf(at).getAttribute('aria-valuetext');
const eventually = (what: string, holds: () => Promise<boolean>): Promise<void> => (
  waitFor(holds, { what, deadlineMs: WAIT_MS_MAX }));
const cursorIsAt = (at: Page, latitude: number): Promise<void> => (
  eventually(`The cursor at ${latitude}`, async () => (await trackOn(at)).some(({ layer, geometry }) => (
    layer === 'cursor' && Math.abs((geometry.coordinates as number[])[1]! - latitude) < 0.001))));

describe('the track of a device', () => {
  it('is on the map by speed, with its gap and what is odd by name', async () => {
    const at = await trackOfYesterday();
    await eventually('The way', async () => {
      const drawn = (await trackOn(at)).map(({ layer, properties }) => (
        [layer, properties['drive'] ?? properties['kind'] ?? ''].join(' ').trim()));
      return ['track road', 'track unknown', 'gaps gap', 'odd Jump', 'cursor'].every((each) => drawn.includes(each));
    });
    await at.getByRole('region', { name: 'Gaps' }).getByText('08:09:00 to 08:40:00 (31 min)').waitFor();
    await at.getByRole('region', { name: 'Odd fixes' }).getByText('08:41:00 Jump').waitFor();
    await at.getByText('Speed, km/h (0 to 60)').waitFor();
    await at.getByText('Fuel, % (0 to 70)').waitFor();
    await at.getByText('Ignition', { exact: true }).first().waitFor();
    expect(await at.locator('.strip rect.gap').count()).toBe(4);
    expect(await seriousFaults(at)).toEqual([]);
  });

  it('has a tick for each call by its outcome, and lists those not stored whole', async () => {
    const at = await trackOfYesterday();
    await at.getByText('Calls, by receipt and outcome').waitFor();
    expect(await at.locator('.strip rect.stored').count()).toBe(13);
    expect(await at.locator('.strip rect.duplicate').count()).toBe(1);
    const odd = at.getByRole('region', { name: 'Calls not stored whole' }).first();
    await odd.getByText('1 known already').waitFor();
    await odd.getByText('1 outlier', { exact: true }).waitFor();
    await cursorOf(at).focus();
    await at.keyboard.press('Home');
    await at.locator('.readout').getByText('1 stored').waitFor();
    await at.locator('.readout').getByText('As JSON').click();
    await at.locator('.readout pre').getByText(/"speed": 60/).waitFor();
  });

  it.each([['operator', 'platform'], ['client', 'shipping/rtt']])(
    'has the raw record of a call for its %s, as its outcomes and fixes are stored', async (who, room) => {
      const at = await trackOfYesterday(...who === 'client' ? ['--client', acme.client_id] : []);
      await at.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: platform.edge.url });
      await cursorOf(at).focus();
      await at.keyboard.press('Home');
      const values = at.locator('.readout');
      const id = await values.locator('a').first().textContent() ?? '';
      platform.itemOutcomes.add(acme.client_id, id, anOutcome({ offset: 4_711, items: 1 }));
      const asked = at.waitForRequest((request) => request.url().includes(`/${room}/ingest/${id}`));
      await values.getByText('Raw record').click();
      await asked;
      await values.getByRole('button', { name: 'Copy JSON' }).click();
      await values.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = JSON.parse(String(await at.evaluate('navigator.clipboard.readText()')));
      expect(copied).toMatchObject({
        receipt: {
          ingest_id: id, records: [{ topic: 'rtt.locations.v1', partition: 3, offset: 4_711 }],
        },
        fixes: [{ timestamp: MORNING_S, latitude: 10, speed: 60, ignition: true }],
      });
      expect(await values.locator('pre').last().textContent())
        .toBe(JSON.stringify(copied, undefined, 2));
      expect(await seriousFaults(at)).toEqual([]);
    },
  );

  it('says why there is no raw record of a call that is not known', async () => {
    const at = await trackOfYesterday();
    const odd = at.getByRole('region', { name: 'Calls not stored whole' }).first();
    await odd.getByText('Raw record').first().click();
    await odd.getByText('Refused: ').waitFor();
  });

  it('shows calls of a day without a fix', async () => {
    const repeater = await platform.addDevice(acme);
    platform.deviceTracks.send({
      device: repeater, client: acme.client_id, receivedAtMs: (MORNING_S + 60) * 1_000,
      fixes: [fix(-500 * 86_400)],
    });
    const at = await pageOf('--operator');
    await at.goto(`${platform.edge.url}/console/#/device/${encodeURIComponent(repeater)}`);
    await at.getByText('No fix on this day').waitFor();
    await at.getByRole('button', { name: 'Day before' }).click();
    await at.getByText('Calls, by receipt and outcome').waitFor();
    expect(await at.locator('.strip rect.outlier').count()).toBe(1);
    expect(await seriousFaults(at)).toEqual([]);
  });

  it('has one cursor over map and strips, for the keyboard too', async () => {
    const at = await trackOfYesterday();
    await cursorOf(at).focus();
    await at.keyboard.press('Home');
    expect(await wordsOf(at)).toContain('08:00:00 UTC, 60 km/h, Ignition on');
    await cursorIsAt(at, 10);
    for (let pressed = 0; pressed < 9; pressed++) await at.keyboard.press('ArrowRight');
    await cursorIsAt(at, 10.09);
    await at.getByText('61', { exact: true }).waitFor();
    await at.keyboard.press('ArrowRight');
    expect(await wordsOf(at)).toContain('08:40:00 UTC, 0 km/h, Ignition off, Silence before it: 31 min');
    await at.keyboard.press('ArrowRight');
    expect(await wordsOf(at)).toContain('Jump');
    await cursorIsAt(at, 11.5);
    await at.keyboard.press('End');
    await at.keyboard.press('ArrowRight');
    expect(await wordsOf(at)).toContain('08:42:00');
    await at.keyboard.press('PageDown');
    expect(await wordsOf(at)).toContain('08:41:00');
    await at.getByRole('button', { name: '08:09:00 to 08:40:00' }).press('Enter');
    await cursorIsAt(at, 10.1);
  });

  it('moves its cursor to where the pointer is, on the strips and on the map', async () => {
    const at = await trackOfYesterday();
    const box = (await cursorOf(at).boundingBox())!;
    await at.mouse.move(box.x + box.width * (8.1 / 24), box.y + 20);
    await eventually('The cursor at 08:06', async () => (await wordsOf(at))?.includes('08:06:00') ?? false);
    await cursorIsAt(at, 10.06);
    const map = (await at.locator('.track .map').boundingBox())!;
    // The way from south to north is fitted to the map, 40 pixels from its edges.
    await at.mouse.click(map.x + map.width / 2, map.y + map.height - 34);
    await eventually('The cursor at the first fix', async () => (
      (await wordsOf(at))?.includes('08:00:00') ?? false));
  });

  it('says that it is thinned', async () => {
    const busy = await platform.addDevice(acme);
    platform.deviceTracks.send({
      device: busy, client: acme.client_id, receivedAtMs: (MORNING_S + 5_003) * 1_000,
      fixes: Array.from({ length: 5_001 }, (_, second) => (
        fix(second, { latitude: 10 + second / 1e5 }))),
    });
    const at = await pageOf('--operator');
    await at.goto(`${platform.edge.url}/console/#/device/${busy}`);
    await at.getByText('No fix on this day').waitFor();
    await at.getByRole('button', { name: 'Day before' }).click();
    await at.getByText('2,501 of 5,001 fixes: one of each 2').waitFor();
  });

  it('copies the call and the question behind it', async () => {
    const at = await trackOfYesterday();
    await at.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: platform.edge.url });
    const copied = () => at.evaluate('navigator.clipboard.readText()');
    await at.getByRole('button', { name: 'Copy as SQL' }).click();
    await at.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied()).toContain(`WHERE device_id = '${device}'`);
    await at.getByRole('region', { name: 'Track' }).getByRole('button', { name: 'Copy as curl' }).click();
    const call = `/platform/devices/${device}/track?limit=5000&since=`;
    await eventually('The call', async () => String(await copied()).includes(call));
  });

  it('says why there is none', async () => {
    const at = await trackOfYesterday();
    platform.deviceTracks.lose();
    await at.getByRole('button', { name: 'Day before' }).click();
    await at.getByRole('region', { name: 'Track' }).getByText('Refused: ').waitFor();
    expect(await at.locator('.strips').count()).toBe(0);
    platform.deviceTracks.lose(false);
    expect(pages.takeProblems().join()).toContain('status of 500');
    await at.getByRole('button', { name: 'Day after' }).click();
    await at.getByText('13 fixes', { exact: true }).waitFor();
  });

  it('is there for its own client, and for no other', async () => {
    const own = await pageOf('--client', acme.client_id);
    await own.getByText('No fix on this day').waitFor();
    await own.getByRole('button', { name: 'Day before' }).click();
    await own.getByText('13 fixes', { exact: true }).waitFor();
    const others = await pageOf('--client', other.client_id);
    await others.getByRole('region', { name: 'Track' }).getByText('The caller has no such device.').waitFor();
  });

  it('shows the lifecycle below it, and no way to the side on a phone', async () => {
    const at = await trackOfYesterday();
    await at.getByText('registered', { exact: true }).waitFor();
    await at.getByText('started', { exact: true }).waitFor();
    await at.setViewportSize({ width: 390, height: 844 });
    expect(await at.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect((await at.locator('main').boundingBox())?.width).toBe(390);
  });
});
