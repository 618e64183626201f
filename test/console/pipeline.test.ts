import type { Page } from 'playwright-core';
import { expect, describe, it } from 'vitest';
import { anIngestMinute } from '../support/fake-pipeline.ts';
import { seriousFaults } from './accessibility.ts';
import type { MemoryPlatform } from './memory-platform.ts';
import { openPages } from './open-pages.ts';

const LOCATIONS = 'rtt.locations.v1';
const WRITER = 'rastro.table-writer';
const MINUTE_MS = 60_000;

let platform: MemoryPlatform;

const pages = openPages(async (opened) => {
  platform = opened;
  const { log, members, minutes } = opened.pipeline;
  const ago = (seconds: number): number => Date.now() - seconds * 1_000;
  log.append(LOCATIONS, 0, [...Array.from({ length: 90 }, () => ago(400)), ago(200)]);
  log.commit(WRITER, LOCATIONS, 0, 90n);
  members.push({ group: WRITER, members: ['one', 'two'], isStable: true });
  const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  for (let minute = 1; minute <= 20; minute += 1) {
    minutes.push(anIngestMinute(nowMs - minute * MINUTE_MS, { stored: 19, outlier: 1 }));
  }
});

async function signedIn(options?: Parameters<typeof pages.open>[1]): Promise<Page> {
  const at = await pages.signedIn(['--operator'], options);
  await at.getByRole('link', { name: 'Pipeline' }).press('Enter');
  await at.getByText('As of').waitFor();
  return at;
}
const rowOf = (at: Page, name: string, text: string) => (
  at.getByRole('region', { name, exact: true }).getByRole('row').filter({ hasText: text }));

describe('the pipeline', () => {
  it('shows what came, the lag of workers, and which alarm that proves, by keyboard alone', async () => {
    const at = await signedIn();
    await at.getByText(/^300 accepted = 285 stored \+ 15 outlier$|^280 accepted = 266 stored \+ 14 outlier$/).waitFor();
    await rowOf(at, 'Topics', LOCATIONS).getByText('91', { exact: true }).first().waitFor();
    const writer = rowOf(at, 'Workers', 'table-writer');
    await writer.getByText(LOCATIONS).waitFor();
    expect((await writer.allInnerTexts())[0]).toMatch(/^table-writer\s+2\s+1\s+2\d\d\s/);
    await at.getByText(/^table-writer is 2\d\d s behind in rtt\.locations\.v1/).waitFor();
    expect(await at.getByRole('link', { name: 'RastroConsumerLag' }).getAttribute('href'))
      .toBe('/docs/runbooks/consumer-lag');
    await at.getByRole('region', { name: 'Minute by minute (UTC)' }).waitFor({ state: 'hidden' });
    await at.locator('summary').press('Enter');
    await at.getByRole('region', { name: 'Minute by minute (UTC)' }).waitFor();
    expect(await at.locator('.bars rect').count()).toBeGreaterThanOrEqual(28);
  });

  it('shows the rest when a part is away, and all again when it is back', async () => {
    const at = await signedIn();
    platform.pipeline.lost.set('workers', 'away').set('state', 'away');
    await at.getByText('It cannot be asked now (log_unavailable).').waitFor();
    await at.getByRole('region', { name: 'Workers', exact: true }).waitFor({ state: 'hidden' });
    await rowOf(at, 'Stores', 'State store').getByText('cannot be asked').waitFor();
    await rowOf(at, 'Topics', LOCATIONS).waitFor();
    platform.pipeline.lost.clear();
    await rowOf(at, 'Workers', 'table-writer').waitFor();
    await rowOf(at, 'Stores', 'State store').getByText('ready').waitFor();
  });

  it('is not shown to who has not the right admin', async () => {
    const reader = await platform.addClient({ audiences: ['platform'], scopes: ['platform:read'] });
    const at = await pages.signedIn(['--client', reader.client_id]);
    expect(await at.getByRole('link', { name: 'Pipeline' }).count()).toBe(0);
    await at.goto(`${platform.edge.url}/console/#/pipeline`);
    await at.getByText('This client has no right to the pipeline.').waitFor();
    expect(await at.evaluate(async () => (await fetch('/operator/pipeline')).status)).toBe(403);
  });

  it.each(['light', 'dark'] as const)('has no way to the side on 390 pixels, %s', async (colorScheme) => {
    const at = await signedIn({ viewport: { width: 390, height: 844 }, colorScheme });
    await rowOf(at, 'Topics', LOCATIONS).waitFor();
    expect(await at.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await seriousFaults(at)).toEqual([]);
  });
});
