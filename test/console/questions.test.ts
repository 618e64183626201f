import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ClientRecorded } from '../../services/kernel/access.ts';
import { aResult, aTelemetryRequest, placedCommands } from '../support/command-facts.ts';
import { anOutcome } from '../support/fake-item-outcomes.ts';
import { aPlace } from '../support/fake-platform-history.ts';
import { received, recordJourneys } from '../support/journeys.ts';
import { aRegistration, placed, stopOf } from '../support/state-facts.ts';
import { countOn, type CountedPage } from './counted-page.ts';
import type { MemoryPlatform } from './memory-platform.ts';
import { openPages } from './open-pages.ts';

/** Of one question: clicks, or the one that opens Find and a paste there. */
const CLICKS_MAX = 3;
const PASTES_MAX = 1;

const NUMBER = 'RST0000000042';
const PLATE = 'ABC 1D23';
const INGEST = '0198c0de-0000-7000-8000-000000000001';
const COMMAND = '0198c0de-0000-7000-8000-000000000002';
const TRANSPORT = 700_100_200;
const LOCATIONS = 'rtt.locations.v1';
const WRITER = 'rastro.table-writer';
const DAYS_2_MS = 2 * 86_400_000;

let platform: MemoryPlatform;
let acme: ClientRecorded;
let truck: string;

const pages = openPages(async (opened) => {
  platform = opened;
  acme = await platform.addClient({
    audiences: ['rtt', 'revoke'], scopes: ['rtt:devices', 'rtt:locations', 'query:read'],
  });
  await aTruckThatWasStopped();
  await aShipmentThatWasDelivered();
  await callsAndCommands();
  for (let at = 0; at < 3; at += 1) platform.deadLetters.add(LOCATIONS, at);
  const { log, members } = platform.pipeline;
  const ago = (seconds: number): number => Date.now() - seconds * 1_000;
  log.append(LOCATIONS, 0, [ago(400), ago(300)]);
  log.commit(WRITER, LOCATIONS, 0, 1n);
  members.push({ group: WRITER, members: ['one'], isStable: true });
});

/** Two days ago, so that no map has it any more. */
async function aTruckThatWasStopped(): Promise<void> {
  truck = await platform.addDevice(acme, PLATE);
  const device = aRegistration(acme, { device_id: truck });
  const stopped = placed([stopOf(device, Date.now() - DAYS_2_MS)], 2);
  await platform.states.devices.apply(stopped);
}

async function aShipmentThatWasDelivered(): Promise<void> {
  const of = { tracking_number: NUMBER, client_id: acme.client_id };
  await platform.states.shipments.authorize(
    NUMBER, { carrier_client_id: acme.client_id, at_ms: Date.now() },
  );
  const { events } = recordJourneys([
    received(1, 'EX-DELIVERED', 10, of), received(2, 'EX-FAILED', 20, of),
  ]);
  platform.history.addJourney(...events);
  platform.platformHistory.places.set(NUMBER, aPlace({ city: 'Campinas' }));
}

async function callsAndCommands(): Promise<void> {
  const { states, itemOutcomes } = platform;
  const nowMs = Date.now();
  await states.refusals.keep(acme.client_id, [{
    operation: 'send-locations', status: 400, code: 'validation_failed',
    pointers: ['/locations/0/latitude'], count: 7, first_at_ms: nowMs, last_at_ms: nowMs,
  }]);
  const { outcomes } = anOutcome();
  itemOutcomes.add(acme.client_id, INGEST, anOutcome({
    received_at_ms: nowMs, outcomes: { ...outcomes, stored: 9, outlier: 3 },
    outlierReasons: { clock_not_set: 3 },
  }));
  const command = aTelemetryRequest('cmVxdWVzdC0x', TRANSPORT, {
    command_id: COMMAND, client_id: acme.client_id,
  });
  await states.commands.applyCommands(placedCommands([command]));
  await states.commands.applyResults([aResult(command, {
    outcome: 'refused', status: 422, reason: 'answered',
  })]);
  await states.devices.apply(placed([aRegistration(acme, { transport_id: TRANSPORT })], 10));
}

const partOf = (at: Page, title: string): Locator => (
  at.locator('section').filter({ has: at.getByRole('heading', { name: title, exact: true }) }));
const says = (part: Locator, text: string): Promise<void> => (
  part.getByText(text, { exact: true }).first().waitFor());
const rowOf = (at: Page, name: string, text: string): Locator => (
  at.getByRole('region', { name, exact: true }).getByRole('row').filter({ hasText: text }));
const tab = ({ at }: CountedPage, name: string): Locator => at.getByRole('link', { name });

/** What people ask, who of them, how they get to it, and where the answer is. */
const QUESTIONS: readonly (readonly [
  question: string, who: 'operator' | 'provider', ask: (page: CountedPage) => Promise<void>,
  answer: (at: Page) => Promise<void>,
])[] = [
  ['Why is this truck not on the map?', 'operator', (page) => page.paste(PLATE), async (at) => {
    await at.getByRole('heading', { name: `Device ${truck}` }).waitFor();
    await says(partOf(at, 'State'), 'inactive');
    await says(partOf(at, 'State'), 'stopped');
  }],
  ['Why was this notification ignored?', 'operator', (page) => page.paste(NUMBER), async (at) => {
    const row = rowOf(at, 'Journey', 'EX-FAILED');
    await row.getByText('ignored after final').waitFor();
    await row.getByText('It was received after a final status, so it changes nothing').waitFor();
  }],
  ['Where is this shipment now?', 'operator', (page) => page.paste(NUMBER),
    (at) => says(partOf(at, 'Where it is now'), 'Campinas')],
  ['Which calls of this provider failed?', 'provider', (page) => page.click(tab(page, 'Integration')),
    async (at) => {
      const row = rowOf(at, 'Refused calls', 'send-locations');
      await row.getByText('/locations/0/latitude').waitFor();
      await row.getByRole('link', { name: 'validation_failed' }).waitFor();
    }],
  ['How did the items of this call end?', 'operator', (page) => page.paste(INGEST), async (at) => {
    const part = partOf(at, 'Call that was accepted');
    await says(part, 'Outlier reasons');
    await says(part, 'Clock not set');
  }],
  ['Did the provider take this command?', 'operator', (page) => page.paste(COMMAND), async (at) => {
    await says(partOf(at, 'Command'), 'refused');
    await says(partOf(at, 'Command'), '422');
  }],
  ['Which devices does this transport have?', 'operator', (page) => page.paste(String(TRANSPORT)),
    (at) => says(partOf(at, 'Devices of the transport'), acme.client_id)],
  ['Which worker is behind, and does that prove an alarm?', 'operator',
    (page) => page.click(tab(page, 'Pipeline')), async (at) => {
      await rowOf(at, 'Workers', 'table-writer').getByText(LOCATIONS).waitFor();
      await at.getByRole('link', { name: 'RastroConsumerLag' }).waitFor();
    }],
  ['Why could these records not be applied, and what mends it?', 'operator', async (page) => {
    await page.click(tab(page, 'Dead letters'));
    await page.click(page.at.getByRole('row').nth(1).getByRole('button'));
  }, (at) => at.getByRole('complementary').getByText('widen the column').waitFor()],
  ['What would be put back of them?', 'operator', async (page) => {
    await page.click(tab(page, 'Dead letters'));
    await page.click(page.at.getByRole('row').nth(1).getByRole('button'));
    await page.click(page.at.getByRole('button', { name: 'Dry run' }));
  }, (at) => at.getByText('3 would be put back.').waitFor()],
];

describe('the console, from the page that a session begins with', () => {
  it('is asked ten questions', () => {
    expect(new Set(QUESTIONS.map(([question]) => question)).size).toBe(10);
  });

  it.each(QUESTIONS)('answers by three clicks at most, or one paste: %s', async (_, who, ask, answer) => {
    const at = await pages.signedIn(who === 'operator' ? ['--operator'] : ['--client', acme.client_id]);
    const page = await countOn(at);
    await ask(page);
    await answer(at);
    const { clicks, pastes } = await page.counted();
    expect(clicks).toBeGreaterThan(0);
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
    expect(pastes).toBeLessThanOrEqual(PASTES_MAX);
    // A paste needs no click but the one that opens Find.
    if (pastes > 0) expect(clicks).toBe(1);
  });
});
