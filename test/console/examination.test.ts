import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientRecorded } from '../../services/kernel/access.ts';
import { openExaminerEnv, type ExaminerEnv } from '../support/examiner-env.ts';
import { startWrongReceiver, type WrongReceiver } from '../support/wrong-receiver.ts';
import { changeStatus, ON } from '../support/wrong-receiver/mistake.ts';
import { KNOWN } from '../support/wrong-receiver/receiver.ts';
import { seriousFaults } from './accessibility.ts';
import type { MemoryPlatform } from './memory-platform.ts';
import { openPages } from './open-pages.ts';

let platform: MemoryPlatform;
let partner: WrongReceiver;
let examiner: ExaminerEnv;
let acme: ClientRecorded;
let swift: ClientRecorded;

const pages = openPages(async (opened) => {
  platform = opened;
  acme = await platform.addClient({ audiences: ['rtt'], scopes: ['rtt:devices', 'query:read'] });
  swift = await platform.addClient({
    audiences: ['logistic-feed'], scopes: ['tracking:push'], providers: [],
  });
});
beforeAll(async () => {
  partner = await startWrongReceiver();
  examiner = openExaminerEnv({ states: platform.states, outbound: { timeoutMs: 500 } });
  examiner.start();
});
afterAll(async () => {
  await examiner.stop();
  await partner.close();
});

/** Records the party that a client is. */
async function partyOf(
  { client_id }: ClientRecorded, change: Parameters<ExaminerEnv['party']>[0],
): Promise<void> {
  const sealed_token = examiner.vault.seal(KNOWN.commandToken);
  const authentication = { kind: 'static', sealed_token } as const;
  await examiner.party({ client_id, base_url: partner.url, authentication, ...change });
}

const statusOf = (at: Page) => at.locator('section', { hasText: 'Your address' }).getByRole('status');
const examine = (at: Page): Promise<void> => (
  at.getByRole('button', { name: 'Examine my address' }).press('Enter'));

describe('the address of a provider', () => {
  it('is not on the page of a client that no party is', async () => {
    const at = await pages.signedIn(['--client', acme.client_id]);
    await at.getByRole('link', { name: 'Integration' }).press('Enter');
    await at.getByText('Nothing was refused in seven days.').waitFor();
    expect(await at.getByRole('button', { name: 'Examine my address' }).count()).toBe(0);
  });

  it('is examined by a click, with each check and the sum', async () => {
    await partyOf(acme, { party_id: 'p-acme' });
    const at = await pages.signedIn(['--client', acme.client_id]);
    await at.getByRole('link', { name: 'Integration' }).press('Enter');
    await at.getByText(partner.url).waitFor();
    await at.getByText('with new names at your side').waitFor();
    expect(partner.asked()).toEqual([]);
    await examine(at);
    await statusOf(at).getByText('10 passed, 0 skipped, 0 advice, 0 failed.').waitFor();
    await at.getByRole('row').filter({ hasText: 'command-tracking' }).getByText('Passed').waitFor();
    expect(await at.getByRole('button', { name: 'Examine my address' }).isEnabled()).toBe(true);
    expect(await seriousFaults(at)).toEqual([]);
  });

  it('that makes a mistake shows the check that fails first, and what came', async () => {
    partner.begin(changeStatus(ON.commands, 403, 401));
    const at = await pages.signedIn(['--client', acme.client_id]);
    await at.getByRole('link', { name: 'Integration' }).press('Enter');
    await examine(at);
    await statusOf(at).getByText('9 passed, 0 skipped, 0 advice, 1 failed.').waitFor();
    const first = at.getByRole('region', { name: 'Checks' }).getByRole('row').nth(1);
    await first.getByText('Failed').waitFor();
    await first.getByText('POST /rtt/commands answered 401, not 403').first().waitFor();
    expect(await seriousFaults(at)).toEqual([]);
  });

  it('that answers nothing says so, and one that is examined twelve times an hour waits', async () => {
    await partyOf(acme, { party_id: 'p-acme', version: 2, base_url: 'http://127.0.0.1:9' });
    const at = await pages.signedIn(['--client', acme.client_id]);
    await at.getByRole('link', { name: 'Integration' }).press('Enter');
    await at.getByText('http://127.0.0.1:9').first().waitFor();
    await examine(at);
    await statusOf(at).getByText('Stopped: http://127.0.0.1:9 gave no answer (network).').waitFor();
    const { examinations } = platform.states;
    for (let times = 4; times <= 12; times += 1) {
      await examiner.ask('p-acme', acme.client_id);
      await expect.poll(async () => (await examiner.newest('p-acme')).endedAtMs).toBeDefined();
    }
    expect(await examinations.find(['p-acme'])).toHaveLength(1);
    await examine(at);
    await statusOf(at).getByText('Refused: The address was examined 12 times within an hour').waitFor();
    expect(await at.getByRole('button', { name: 'Examine my address' }).isEnabled()).toBe(true);
  });
});

describe('the address of a carrier', () => {
  it('is examined on a small screen too, with what cannot be asked and why', async () => {
    partner.begin();
    const answer = await fetch(`${partner.url}/oauth/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'authorization': `Basic ${btoa(`${KNOWN.clientId}:${KNOWN.clientSecret}`)}`,
      },
      body: JSON.stringify({ audience: 'authorizations', grant_type: 'client_credentials' }),
    });
    const { access_token: token } = await answer.json() as { access_token: string };
    const sealed_token = examiner.vault.seal(token);
    await partyOf(swift, {
      party_id: 'p-swift', kind: 'carrier', name: 'Swift',
      authentication: { kind: 'static', sealed_token },
    });
    const at = await pages.signedIn(['--client', swift.client_id], {
      viewport: { width: 390, height: 844 },
    });
    await at.getByText('Swift, carrier').waitFor();
    await examine(at);
    await statusOf(at).getByText('2 skipped, 0 advice, 0 failed.').waitFor();
    await at.getByText('the registered credentials give no token that is for rtt alone').first().waitFor();
    expect(await at.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await seriousFaults(at)).toEqual([]);
  });
});
