import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVault } from '../../../services/adapters/secrets/vault.ts';
import { aCommand, aParty } from '../../support/command-facts.ts';
import { TEST_VAULT_KEY } from '../../support/command-sender-run.ts';
import { tinyProvider, type TinyProvider } from '../../support/tiny-provider.ts';
import { openCommandsEnv, type CommandsEnv } from '../commands/commands-env.ts';

let env: CommandsEnv;
/** What is inside: a server that no party may make us call. */
let inside: TinyProvider;
beforeEach(async () => {
  env = await openCommandsEnv();
  inside = await tinyProvider();
});
afterEach(async () => {
  inside.close();
  await env.close();
});

/** The first result that was recorded. */
async function firstResult(): Promise<unknown> {
  await expect.poll(async () => (await env.results()).length, { timeout: 20_000 })
    .toBeGreaterThan(0);
  const [first] = await env.results();
  return first;
}

describe('a call to a party', () => {
  it('follows no redirect to the inside, with whatever status it comes', async () => {
    const statuses = [301, 302, 303, 307, 308];
    const location = `${inside.url}/rtt/commands`;
    const provider = await env.provider('acme', (_call, count) => ({
      status: statuses[(count - 1) % statuses.length] ?? 302, headers: { location },
    }));
    await env.start();
    await env.issue(aCommand('start_tracking', 42));
    expect(await firstResult()).toMatchObject({ outcome: 'retry', reason: 'redirect' });
    await expect.poll(() => provider.calls.length, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(statuses.length);
    expect(inside.calls).toEqual([]);
  });

  it('goes to no other name of this machine, though it would answer there', async () => {
    const base = inside.url.replace('127.0.0.1', '0.0.0.0');
    expect((await fetch(base, { method: 'POST', body: '{}' })).status).toBe(200);
    inside.calls.splice(0);
    const sealed_token = createVault(TEST_VAULT_KEY).seal('t0');
    await env.states.parties.apply(aParty({
      party_id: 'acme', provider: 'acme', base_url: base,
      authentication: { kind: 'static', sealed_token },
    }));
    await env.start();
    await env.issue(aCommand('start_tracking', 42));
    expect(await firstResult()).toMatchObject({ outcome: 'retry', reason: 'network' });
    expect(inside.calls).toEqual([]);
  });
});
