import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { keyedSecrets } from '../../services/adapters/secrets/secrets.ts';
import type { ClientRecorded } from '../../services/kernel/access.ts';
import { anOutcome } from '../support/fake-item-outcomes.ts';
import { aScore } from '../support/fake-provider-quality.ts';
import { aNotification } from '../support/notifications.ts';
import { seriousFaults } from './accessibility.ts';
import { PEPPER, type MemoryPlatform } from './memory-platform.ts';
import { openPages } from './open-pages.ts';

const SECRET = 'secret-of-partners';
const INGEST = '0198c0de-0000-7000-8000-000000000001';

let platform: MemoryPlatform;
let acme: ClientRecorded;
let swift: ClientRecorded;
let buyer: ClientRecorded;

const pages = openPages(async (opened) => {
  platform = opened;
  const secrets = [{ secret_id: 's1', hash: keyedSecrets(PEPPER).hash(SECRET), created_at_ms: 0 }];
  acme = await platform.addClient({
    secrets, audiences: ['rtt', 'revoke'], scopes: ['rtt:devices', 'rtt:locations', 'query:read'],
  });
  swift = await platform.addClient({
    secrets, audiences: ['logistic-feed'], scopes: ['tracking:push'], providers: [],
  });
  buyer = await platform.addClient({
    secrets, audiences: ['authorizations'], scopes: ['authorizations'], providers: [],
  });
});

/** The program of a partner: it calls with a token of its own. */
async function programOf({ client_id: id }: ClientRecorded, audience: string) {
  const headers = { 'content-type': 'application/json' };
  const post = (path: string, body: unknown, authorization: string) => (
    fetch(platform.edge.url + path, {
      method: 'POST', body: JSON.stringify(body ?? {}), headers: { ...headers, authorization },
    }));
  const basic = `Basic ${Buffer.from(`${id}:${SECRET}`).toString('base64')}`;
  const answer = await post('/oauth/token', { audience, grant_type: 'client_credentials' }, basic);
  const { access_token: token } = await answer.json() as { access_token: string };
  return (path: string, body?: unknown) => post(path, body, `Bearer ${token}`);
}

const step = (at: Page, text: string): Locator => at.getByRole('listitem').filter({ hasText: text });
const isDone = (at: Page, text: string): Promise<void> => (
  step(at, text).getByText('done, first').waitFor());
const partOf = (at: Page, title: string): Locator => (
  at.locator('section').filter({ has: at.getByRole('heading', { name: title, exact: true }) }));

describe('the integration of a provider', () => {
  it('ticks itself off as its program calls, and shows what was refused, accepted and used', async () => {
    const at = await pages.signedIn(['--client', acme.client_id]);
    await at.getByRole('link', { name: 'Integration' }).press('Enter');
    await at.getByText('0 of 9 steps done').waitFor();
    await at.getByText('Nothing was refused in seven days.').waitFor();
    await at.getByText('No call was accepted in 24 hours.').waitFor();

    const call = await programOf(acme, 'rtt');
    const registered = await call('/shipping/rtt/devices?country_id=BR', {
      external_entity: { entity_id: 'van-1', entity_type: 'van' }, transport: { id: 1 },
    });
    const { id: device } = await registered.json() as { id: string };
    await isDone(at, 'Get a token');
    await isDone(at, 'Register a device');
    await step(at, 'Send locations').getByText('to do').waitFor();

    const now = Math.floor(Date.now() / 1_000);
    const locations = (latitude: number) => call('/shipping/rtt/georeceiver/acme/locations?country_id=BR', {
      device_id: device, post_timestamp: now,
      locations: [{ timestamp: now, country_id: 'BR', latitude, longitude: -46.6 }],
    });
    expect((await call(`/shipping/rtt/devices/${device}/start_tracking?country_id=BR`)).status).toBe(200);
    expect((await locations(-23.5)).status).toBe(202);
    expect((await locations(91)).status).toBe(400);
    await isDone(at, 'Send locations');
    await at.getByText('4 of 9 steps done').waitFor();
    const refused = partOf(at, 'Refused calls').getByRole('row').nth(1);
    await refused.getByText('/locations/0/latitude').waitFor();
    expect(await refused.getByRole('link').getAttribute('href')).toMatch(/^\/problems\/[a-z_]+$/);

    const { outcomes } = anOutcome();
    platform.itemOutcomes.add(acme.client_id, INGEST, anOutcome({
      received_at_ms: Date.now(), outcomes: { ...outcomes, stored: 9, outlier: 3 },
      outlierReasons: { clock_not_set: 3 },
    }));
    platform.providerQuality.scores.push(
      aScore({ provider: 'acme', gaps: 71 }), aScore({ provider: 'best', gaps: 72 }));
    await at.getByRole('button', { name: 'Refresh' }).press('Enter');
    await at.getByRole('button', { name: INGEST }).press('Enter');
    await partOf(at, `Outcome of ${INGEST}`).getByText('clock not set').waitFor();
    await partOf(at, 'Limits').getByRole('row').filter({ hasText: 'Locations' }).getByText('20,000').nth(1)
      .waitFor();
    await partOf(at, 'Quality').getByRole('cell', { name: '71' }).waitFor();
    expect(await at.getByRole('cell', { name: '72' }).count()).toBe(0);
    await at.getByRole('meter', { name: 'Bytes of a day' }).waitFor();
    expect(await seriousFaults(at)).toEqual([]);
  });
});

describe('the integration of a carrier', () => {
  it('is where its session begins, on a small screen too, and has nothing of others', async () => {
    const call = await programOf(swift, 'logistic-feed');
    expect((await call('/shipping/tracking/notifications', aNotification())).status).toBe(202);
    const at = await pages.signedIn(['--client', swift.client_id], {
      viewport: { width: 390, height: 844 },
    });
    await isDone(at, 'Send a notification');
    await at.getByText('2 of 4 steps done').waitFor();
    await step(at, 'Try a notification in a dry run').getByText('to do').waitFor();
    expect(await step(at, 'Register a device').count()).toBe(0);
    await at.getByText('Nothing was refused in seven days.').waitFor();
    await at.getByText('No call was accepted in 24 hours.').waitFor();
    expect(await at.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});

describe('the integration of who only authorizes', () => {
  it('has its steps and what was refused, and no parts that it has no calls for', async () => {
    const at = await pages.signedIn(['--client', buyer.client_id]);
    await at.getByText('0 of 4 steps done').waitFor();
    for (const name of ['Try an authorization', 'Authorize a shipment', 'Cancel an authorization']) {
      await step(at, name).getByText('to do').waitFor();
    }
    const call = await programOf(buyer, 'authorizations');
    await isDone(at, 'Get a token');
    expect((await call('/shipments/1/authorization', {})).status).toBe(400);
    await partOf(at, 'Refused calls').getByRole('row').nth(1).getByText('authorize-shipment').waitFor();
    await at.getByText('1 of 4 steps done').waitFor();
    expect(await at.getByRole('heading', { level: 2 }).allTextContents())
      .toEqual(['Checklist', 'Refused calls']);
    expect(await seriousFaults(at)).toEqual([]);
  });
});

describe('operators', () => {
  it('have no integration of their own', async () => {
    const at = await pages.signedIn();
    expect(await at.getByRole('link', { name: 'Integration' }).count()).toBe(0);
    await at.goto(`${platform.edge.url}/console/#/partner`);
    await at.getByText('This client neither sends').waitFor();
  });
});
