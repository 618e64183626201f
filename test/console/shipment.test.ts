import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ClientRecorded } from '../../services/kernel/access.ts';
import { anAsk, aTry } from '../support/authorization-facts.ts';
import { aPlace } from '../support/fake-platform-history.ts';
import { received, recordJourneys } from '../support/journeys.ts';
import { seriousFaults } from './accessibility.ts';
import type { MemoryPlatform } from './memory-platform.ts';
import { openPages } from './open-pages.ts';

const NUMBER = 'RST0000000017';
const CALL = '0198c0de-0000-7000-8000-000000000041';
const HTML = '<img src=x onerror=alert(1)>';

let platform: MemoryPlatform;
let buyer: ClientRecorded;
let swift: ClientRecorded;
let other: ClientRecorded;

const pages = openPages(async (opened) => {
  platform = opened;
  buyer = await platform.addClient();
  const carrier = {
    audiences: ['tracking-pull' as const], scopes: ['query:read' as const], providers: [],
  };
  swift = await platform.addClient(carrier);
  other = await platform.addClient(carrier);
  const { shipments, shipmentIndex } = platform.states;
  const { client_id } = swift;
  // What is long ago is left out of a shipment.
  const nowMs = Date.now();
  await shipments.authorize(NUMBER, {
    platform_client_id: buyer.client_id, carrier_client_id: client_id, at_ms: nowMs,
  });
  const order = { tracking_number: NUMBER, platform_client_id: buyer.client_id };
  await shipmentIndex.add([
    { ...order, transport_order_id: 'to-given', shipment_id: '41', epoch: 1, at_ms: nowMs },
    { ...order, transport_order_id: 'to-asked', shipment_id: '42', call_id: CALL, at_ms: nowMs },
  ]);
  const asked = anAsk(CALL, { transport_order_id: 'to-asked', shipment_id: '42' });
  await platform.states.authorizationCalls.apply([
    asked, aTry(asked, 1, { outcome: 'authorized', reason: 'answered', tracking_number: NUMBER }),
  ]);
  const notified = { tracking_number: NUMBER, client_id, received_at_ms: nowMs };
  const { journey, events } = recordJourneys([
    received(1, 'EX-COLLECTED', 10, notified), received(2, 'EX-HUB', 20, notified),
    received(3, 'EX-HUB', 20, notified), received(4, 'EX-ON-ROUTE', 15, notified),
    received(5, 'EX-DELIVERED', 30, notified),
    received(6, 'EX-FAILED', 40, { ...notified, carrier_code: HTML }),
  ]);
  platform.history.addJourney(...events);
  if (journey !== undefined) await shipments.putJourneys(new Map([[NUMBER, journey]]));
  platform.platformHistory.places.set(NUMBER, aPlace({ city: 'Campinas', code: 'EX-DELIVERED' }));
});

async function pageOf(
  words?: readonly string[], options?: Parameters<typeof pages.open>[1],
): Promise<Page> {
  const at = await pages.signedIn(words, options);
  await at.goto(`${platform.edge.url}/console/#/shipment/${NUMBER}`);
  await at.getByRole('heading', { name: `Shipment ${NUMBER}` }).waitFor();
  return at;
}
const partOf = (at: Page, title: string): Locator => (
  at.locator('section').filter({ has: at.getByRole('heading', { name: title, exact: true }) }));

/** Code, outcome, rule and its explanation of each entry, in the order of the page. */
async function entriesOf(at: Page): Promise<readonly (readonly string[])[]> {
  const rows = at.getByRole('region', { name: 'Journey', exact: true }).getByRole('row');
  await rows.nth(1).waitFor();
  const cells = await Promise.all((await rows.all()).slice(1).map(
    (row) => row.getByRole('cell').allInnerTexts(),
  ));
  return cells.map(([, code = '', , outcome = '', rule = '']) => (
    [code, outcome, ...rule.split('\n').filter((line) => line !== '')]));
}

const IGNORED = 'It was received after a final status, so it changes nothing, whatever its date.';

describe('the page of a shipment', () => {
  it('has the rule behind each entry, with what was ignored after the final one and why', async () => {
    const at = await pageOf();
    const entries = await entriesOf(at);
    expect(entries.map(([code, outcome, rule]) => [code, outcome, rule])).toEqual([
      ['EX-COLLECTED', 'applied', 'first'], ['EX-HUB', 'applied', 'in order'],
      ['EX-HUB', 'duplicate', 'repeated content'],
      ['EX-ON-ROUTE', 'out of order', 'older than applied'],
      ['EX-DELIVERED', 'applied', 'final code'],
      ['EX-FAILED', 'ignored after final', 'after final'],
    ]);
    expect(entries.at(-1)?.at(3)).toBe(IGNORED);
    // What a carrier sent is a text on the page, whatever it is.
    await at.getByRole('cell', { name: HTML, exact: true }).waitFor();
    expect(await at.locator('img').count()).toBe(0);
  });

  it('says how it stands, where it is now, and by which calls its carrier was asked for it', async () => {
    const at = await pageOf();
    const state = partOf(at, 'State');
    await state.getByText('delivered', { exact: true }).waitFor();
    for (const text of [buyer.client_id, swift.client_id, 'to-given', 'to-asked', CALL]) {
      await state.getByText(text, { exact: true }).first().waitFor();
    }
    await partOf(at, 'Where it is now').getByText('Campinas').waitFor();
    expect(await seriousFaults(at)).toEqual([]);
  });

  it('names the calls of its carrier, and a pasted one says how it ended', async () => {
    const at = await pageOf();
    const id = await partOf(at, 'State').getByText(CALL).innerText();
    await at.getByRole('link', { name: 'Find' }).click();
    await at.getByRole('searchbox', { name: 'Paste an id' }).fill(id);
    await at.keyboard.press('Enter');
    const call = partOf(at, 'Authorization call');
    await call.getByText('to-asked', { exact: true }).waitFor();
    await call.getByText(NUMBER, { exact: true }).waitFor();
  });

  it('shows its carrier the same journey and who authorized it, and no place of the platform', async () => {
    const at = await pageOf(['--client', swift.client_id]);
    expect((await entriesOf(at)).map(([, outcome]) => outcome)).toEqual([
      'applied', 'applied', 'duplicate', 'out of order', 'applied', 'ignored after final',
    ]);
    await partOf(at, 'State').getByText('to-given', { exact: true }).waitFor();
    expect(await at.getByText('Campinas').count()).toBe(0);
  });

  it('shows another carrier nothing of it', async () => {
    const at = await pageOf(['--client', other.client_id]);
    await at.getByText('Refused:').first().waitFor();
    expect(await at.getByText('Refused:').count()).toBe(2);
    const text = await at.locator('main').innerText();
    for (const secret of ['to-given', 'EX-DELIVERED', swift.client_id, buyer.client_id]) {
      expect(text).not.toContain(secret);
    }
  });

  it.each(['light', 'dark'] as const)('has no way to the side on 390 pixels, %s', async (colorScheme) => {
    const at = await pageOf(['--operator'], { viewport: { width: 390, height: 844 }, colorScheme });
    await entriesOf(at);
    expect(await at.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await seriousFaults(at)).toEqual([]);
  });
});
