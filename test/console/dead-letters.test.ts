import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { anAudit } from '../support/fake-audits.ts';
import { aFlood } from '../support/fake-overflow.ts';
import { seriousFaults } from './accessibility.ts';
import type { MemoryPlatform } from './memory-platform.ts';
import { openPages } from './open-pages.ts';

const LOCATIONS = 'rtt.locations.v1';
const HTML = '<img src=x onerror=alert(1)>';
const POISONED = 5_000;

let platform: MemoryPlatform;
let next = 0;

const pages = openPages((opened) => {
  platform = opened;
  return Promise.resolve();
});
beforeEach(() => {
  platform.deadLetters.find();
  platform.audits.heal();
});

function poison(count: number, change: object = {}): void {
  for (let at = 0; at < count; at += 1) platform.deadLetters.add(LOCATIONS, next++, change);
}

/** The signed-in operator; each click on the page is counted by the browser. */
async function signedIn(): Promise<Page> {
  const at = await pages.signedIn();
  await at.evaluate(`
    globalThis.clicks = 0;
    addEventListener('click', (event) => { if (event.isTrusted) globalThis.clicks += 1; }, true);
  `);
  return at;
}
const clicksOn = (at: Page) => at.evaluate('globalThis.clicks');
const firsts = () => platform.log.of(LOCATIONS).map(({ headers }) => headers['replayed-from']);
const moves = () => platform.log.of('rtt.overflow.v1').map(({ value }) => value);
/** A client of the provider acme that has a device. */
async function providerIsKnown(): Promise<void> {
  await platform.addDevice(await platform.addClient());
}
const open = async () => (await platform.deadLetters.open.read()).open;

describe('dead letters', () => {
  it('5,000 are put back with at most 5 clicks, as the dry run says, each once, with a proof', async () => {
    poison(POISONED);
    poison(2, { value: 'bm8=' });
    const at = await signedIn();
    await at.getByRole('link', { name: 'Dead letters' }).click();
    await at.getByText('5,002 open').waitFor();
    await at.getByRole('region', { name: 'Dead letters' }).getByRole('row').nth(1)
      .getByRole('button').click();
    const beside = at.getByRole('complementary');
    await beside.getByText('widen the column').waitFor();
    await beside.getByText('acme').waitFor();
    await beside.getByRole('button', { name: 'Dry run' }).click();
    await beside.getByText('5,000 would be put back.').waitFor();
    await beside.getByText('2: the bytes are in no frame').waitFor();
    expect(firsts()).toEqual([]);
    await at.keyboard.type('ticket 4711');
    await beside.getByRole('button', { name: 'Put back' }).click();
    await beside.getByText('Done: 5,000 put back, 5,000 planned. Open of this signature: 2.').waitFor();
    expect(await clicksOn(at)).toBeLessThanOrEqual(5);
    expect([firsts().length, new Set(firsts()).size]).toEqual([POISONED, POISONED]);
    expect(await open()).toBe(2);
    const audits = platform.log.of('platform.audit.v1').map(({ value }) => value);
    expect(audits).toContainEqual(expect.objectContaining({ reason: 'ticket 4711', records: 3_000 }));
    const asked = at.getByRole('region', { name: 'What operators asked for' }).getByRole('row')
      .filter({ hasText: 'ticket 4711' });
    await asked.first().waitFor();
    expect(await asked.first().getByRole('cell').allInnerTexts()).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/), '900000000000001', 'dlq replay',
      `topic:${LOCATIONS}`, expect.stringMatching(/^[\d,]+$/), 'ticket 4711',
    ]);
    await at.getByText('2 open').waitFor();
  });

  it('are put back by keyboard alone, over an outage of the log', async () => {
    poison(30, { code: 'record_invalid', detail: HTML });
    const before = firsts().length;
    const at = await signedIn();
    await at.getByRole('link', { name: 'Dead letters' }).press('Enter');
    const row = at.getByRole('row').filter({ hasText: HTML });
    await row.getByRole('button').press('Enter');
    const beside = at.getByRole('complementary');
    await beside.getByRole('button', { name: 'Dry run' }).press('Enter');
    await beside.getByText('30 would be put back.').waitFor();
    expect(await seriousFaults(at)).toEqual([]);
    await at.keyboard.type('ticket 4712');
    platform.log.failWith('log_unavailable', 2);
    await at.keyboard.press('Enter');
    await beside.getByText('Done: 30 put back, 30 planned. Open of this signature: 0.').waitFor();
    expect(new Set(firsts().slice(before)).size).toBe(30);
    expect(pages.takeProblems().join()).toContain('status of 500');
  });

  it('say what is wrong while the log does not answer', async () => {
    platform.deadLetters.lose();
    const at = await signedIn();
    await at.getByRole('link', { name: 'Dead letters' }).click();
    await at.getByText('Refused:').waitFor();
    expect(pages.takeProblems().join()).toContain('status of 500');
  });

  it('show who put which back and who moved what to the overflow topic, as far as that is known', async () => {
    const at_ms = Date.now();
    const { records: _, reason: __, ...bare } = anAudit({ at_ms });
    platform.audits.add(
      { ...bare, audit_id: 'a', actor: 'ana@ops-1', command: 'overflow add', subject: 'provider:acme' },
      anAudit({ at_ms, audit_id: 'b', actor: 'ben@ops-1', reason: HTML }),
      anAudit({ at_ms, audit_id: 'c', actor: 'eve@ops-1', command: 'dlq ls' }),
    );
    platform.audits.lose();
    const at = await signedIn();
    await at.getByRole('link', { name: 'Dead letters' }).press('Enter');
    const part = at.locator('section').filter({
      has: at.getByRole('heading', { name: 'What operators asked for' }),
    });
    await part.getByText('Refused:').waitFor();
    expect(pages.takeProblems().join()).toContain('status of 500');
    platform.audits.heal();
    await part.getByRole('row').filter({ hasText: 'ben@ops-1' }).getByText(HTML).waitFor();
    const moved = part.getByRole('row').filter({ hasText: 'ana@ops-1' });
    expect((await moved.getByRole('cell').allInnerTexts()).slice(1))
      .toEqual(['ana@ops-1', 'overflow add', 'provider:acme', '', '']);
    expect(await part.getByText('eve@ops-1').count()).toBe(0);
    expect(await seriousFaults(at)).toEqual([]);
  });

  it('stand above who is in overflow, with a way in and out: tried first, with a reason, audited', async () => {
    await providerIsKnown();
    platform.overflowSource.add(aFlood('swift', { at_ms: Date.now(), ends_at_ms: Date.now() + 600_000 }));
    platform.overflowSource.wait(1_200);
    const at = await signedIn();
    await at.getByRole('link', { name: 'Dead letters' }).press('Enter');
    const part = at.locator('section.overflow');
    await part.getByText('1,200 records wait in the overflow topic.').waitFor();
    const swift = part.getByRole('row').filter({ hasText: 'provider:swift' });
    expect((await swift.getByRole('cell').allInnerTexts()).slice(0, 3))
      .toEqual(['provider:swift', 'in overflow', 'table writer']);
    await swift.getByRole('button', { name: 'Take out' }).press('Enter');
    await part.getByLabel('Reason').fill('ticket 4713');
    await part.getByRole('button', { name: 'Dry run' }).press('Enter');
    await part.getByText('provider:swift would be out of overflow.').waitFor();
    expect(moves()).toEqual([]);
    expect(await seriousFaults(at)).toEqual([]);
    await at.keyboard.press('Enter');
    await part.getByText('provider:swift is out of overflow from now on.').waitFor();
    await swift.getByText('kept out').waitFor();
    expect(moves()).toMatchObject([{ provider: 'swift', state: 'out', by: 'operator', reason: 'ticket 4713' }]);

    await part.getByRole('button', { name: 'Move another' }).press('Enter');
    await part.getByLabel('Name or id').fill('acmee');
    await part.getByLabel('How long').selectOption('2 hours');
    await part.getByLabel('Reason').fill('ticket 4714');
    await part.getByRole('button', { name: 'Dry run' }).press('Enter');
    await part.getByText('Refused: No client with a device has this provider.').waitFor();
    await part.getByLabel('Name or id').fill('acme');
    await part.getByText('Refused:').waitFor({ state: 'hidden' });
    await part.getByRole('button', { name: 'Dry run' }).press('Enter');
    await part.getByText('provider:acme would be in overflow for 120 minutes.').waitFor();
    await at.keyboard.press('Enter');
    await part.getByRole('row').filter({ hasText: 'provider:acme' }).getByText('ticket 4714').waitFor();
    expect(moves()).toHaveLength(2);
    const asked = at.getByRole('region', { name: 'What operators asked for' }).getByRole('row');
    const added = asked.filter({ hasText: 'ticket 4714' });
    await added.getByText('overflow add').waitFor();
    await added.getByText('900000000000001').waitFor();
    await asked.filter({ hasText: 'ticket 4713' }).getByText('overflow rm').waitFor();
  });

  it('are neither shown nor put back for who has not the right admin', async () => {
    poison(1);
    const reader = await platform.addClient({ audiences: ['platform'], scopes: ['platform:read'] });
    const at = await pages.signedIn(['--client', reader.client_id]);
    expect(await at.getByRole('link', { name: 'Dead letters' }).count()).toBe(0);
    await at.goto(`${platform.edge.url}/console/#/dead-letters`);
    await at.getByText('This client has no right to dead letters.').waitFor();
    const statuses = await at.evaluate(async () => {
      const body = JSON.stringify({
        signature: '0'.repeat(16), until: '2026-01-01T00:00:00Z', reason: 'none',
      });
      const calls = [
        fetch('/operator/dead_letters'), fetch('/operator/audits'), fetch('/operator/overflow'),
        fetch('/operator/dead_letters/replay?signature=0123456789abcdef'),
        fetch('/operator/dead_letters/replay', {
          method: 'POST', headers: { 'content-type': 'application/json' }, body,
        }),
        fetch('/operator/overflow', {
          method: 'POST', headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ subject: 'provider:acme', state: 'in', reason: 'none' }),
        }),
      ];
      return (await Promise.all(calls)).map(({ status }) => status);
    });
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403]);
  });

  it.each([[390, 844], [1_280, 800]])(
    'have no way to the side on %d × %d pixels', async (width, height) => {
      poison(1);
      const at = await pages.signedIn(['--operator'], { viewport: { width, height } });
      await at.getByRole('link', { name: 'Dead letters' }).click();
      await at.getByRole('region', { name: 'Dead letters' }).getByRole('row').nth(1)
      .getByRole('button').click();
      await at.getByRole('button', { name: 'Dry run' }).waitFor();
      expect(await at.evaluate('document.documentElement.scrollWidth')).toBe(width);
    },
  );
});
