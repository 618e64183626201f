import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shardOf } from '../../services/kernel/shards.ts';
import { aClient, asking, aToken, newClientId, revocationOf } from './state-facts.ts';
import type { OpenedStates, OpenStates } from './open-states.ts';

/** What every implementation of the port AccessStates must do. */
export function accessStatesSuite(open: OpenStates): void {
  let states: OpenedStates;
  beforeEach(async () => {
    states = await open({
      tokenRequestsPerMinute: 60, tokenRequestsBurst: 3, tokenDelayMsMin: 60_000,
    });
  });
  afterEach(() => states.close());

  it('keeps the newest version of a client, whatever comes last', async () => {
    const first = aClient();
    const third = { ...first, version: 3, status: 'disabled' as const, providers: [] };
    await states.access.applyClient(first);
    expect(await states.access.findClient(first.client_id)).toEqual(first);
    await states.access.applyClient(third);
    await states.access.applyClient({ ...first, version: 2 });
    expect(await states.access.findClient(first.client_id)).toEqual(third);
    expect(await states.access.findClient(newClientId())).toBeUndefined();
  });

  it('gives no revocation of all tokens back, whatever comes last or again', async () => {
    const first = aClient();
    const revoked = { ...first, version: 2, revocations: 1 };
    const beside = { ...first, version: 2, name: 'Changed at the same time' };
    await states.access.applyClient(beside);
    for (const fact of [revoked, revoked, first]) await states.access.applyClient(fact);
    expect(await states.access.findClient(first.client_id)).toEqual({ ...beside, revocations: 1 });
  });

  it('[TOK-17] refuses tokens from before a revocation of all, and no later one', async () => {
    const client = aClient();
    const revoked = { ...client, version: 2, revocations: 1 };
    const [early, later] = [aToken(client), aToken(revoked, { revocations: 1 })];
    const callers = async () => Promise.all([early, later].map(async (token) => (
      (await states.admission.read(asking(token))).caller !== undefined)));
    await states.access.applyClient(client);
    for (const token of [early, later]) await states.access.putToken(token);
    expect(await callers()).toEqual([true, true]);
    await states.access.applyClient(revoked);
    expect(await callers()).toEqual([false, true]);
    await states.access.applyClient(client);
    await states.access.applyTokens([early, later]);
    expect(await callers()).toEqual([false, true]);
  });

  it('keeps an issued token by its hash', async () => {
    const token = aToken(aClient());
    await states.access.putToken(token);
    expect(await states.access.findToken(shardOf(token.client_id), token.token_hash)).toEqual({
      token_hash: token.token_hash, client_id: token.client_id, audience: 'rtt',
      expires_at_ms: token.expires_at_ms, revoked: false,
    });
    expect(await states.access.findToken(0, 'ab'.repeat(32))).toBeUndefined();
  });

  it('never makes a revoked token good again, also one denied before it was known', async () => {
    const known = aToken(aClient());
    const unknown = aToken(aClient());
    await states.access.putToken(known);
    await states.access.denyToken(revocationOf(known));
    await states.access.denyToken(revocationOf(unknown));
    await states.access.putToken(known);
    await states.access.applyTokens([known, unknown, revocationOf(known)]);
    for (const token of [known, unknown]) {
      const found = await states.access.findToken(shardOf(token.client_id), token.token_hash);
      expect(found).toMatchObject({ revoked: true, audience: 'rtt' });
    }
  });

  it('lets one caller take a token, of all that come at once or later, and none an unknown one', async () => {
    const token = aToken(aClient());
    const take = () => states.access.takeToken(revocationOf(token));
    expect(await take()).toBe(false);
    const known = aToken(aClient());
    await states.access.putToken(known);
    const taken = await Promise.all([1, 2, 3].map(() => (
      states.access.takeToken(revocationOf(known)))));
    expect(taken.toSorted()).toEqual([false, false, true]);
    expect(await states.access.takeToken(revocationOf(known))).toBe(false);
    expect(await states.access.findToken(shardOf(known.client_id), known.token_hash))
      .toMatchObject({ revoked: true });
  });

  it('[TOK-24] limits token requests per client id, and touches no other client', async () => {
    const [one, other] = [newClientId(), newClientId()];
    for (let i = 0; i < 3; i++) {
      expect(await states.access.chargeProvenClient(one, `10.0.0.${i}`))
        .toEqual({ allowed: true, retryAfterSeconds: 0 });
    }
    const refused = await states.access.chargeProvenClient(one, '10.0.0.9');
    expect(refused).toEqual({ allowed: false, retryAfterSeconds: 1 });
    expect(await states.access.chargeProvenClient(other, '10.0.1.1'))
      .toMatchObject({ allowed: true });
  });

  it('[TOK-24] limits token requests per address, and spares the client ids it names', async () => {
    for (let i = 0; i < 3; i++) await states.access.chargeTokenRequest('10.9.9.9');
    expect(await states.access.chargeTokenRequest('10.9.9.9')).toMatchObject({ allowed: false });
    expect(await states.access.chargeTokenRequest('10.8.8.8')).toMatchObject({ allowed: true });
  });

  it('[TOK-24] lets who fails often wait, for that client id and from there only', async () => {
    const [address, victim] = [`10.0.0.${newClientId()}`, newClientId()];
    const fail = () => states.access.recordTokenFailure(victim, address);
    const free = { allowed: true, retryAfterSeconds: 0 };
    for (let i = 0; i < 5; i++) expect(await fail()).toEqual(free);
    expect(await fail()).toEqual({ allowed: false, retryAfterSeconds: 60 });
    // While the wait runs, it gets what is left of it, and it grows no further.
    const { allowed, retryAfterSeconds } = await fail();
    expect(allowed).toBe(false);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(await states.access.recordTokenFailure(newClientId(), address))
      .toMatchObject({ allowed: true });
    expect(await states.access.recordTokenFailure(victim, `${address}1`))
      .toMatchObject({ allowed: true });
  });

  it('[TOK-24] doubles the wait with each failure after it, up to the most', async () => {
    await states.close();
    states = await open({ tokenDelayMsMin: 1, tokenDelayMsMax: 1_500 });
    const victim = newClientId();
    let longest = 0;
    await vi.waitFor(async () => {
      const { retryAfterSeconds } = await states.access.recordTokenFailure(victim, '10.0.2.1');
      longest = Math.max(longest, retryAfterSeconds);
      expect(retryAfterSeconds).toBe(2);
    }, { timeout: 10_000, interval: 10 });
    expect(longest).toBe(2);
  }, 15_000);

  it('[TOK-24] never lets the right secret wait for wrong ones, and forgets them then', async () => {
    const [address, victim] = [`10.0.1.${newClientId()}`, newClientId()];
    for (let i = 0; i < 9; i++) await states.access.recordTokenFailure(victim, address);
    expect(await states.access.recordTokenFailure(victim, address))
      .toMatchObject({ allowed: false });
    expect(await states.access.chargeProvenClient(victim, address))
      .toEqual({ allowed: true, retryAfterSeconds: 0 });
    expect(await states.access.recordTokenFailure(victim, address))
      .toMatchObject({ allowed: true });
  });

  it('refuses to answer without the ready mark, and applies facts without it', async () => {
    await states.wipe();
    const client = aClient();
    const token = aToken(client);
    const notReady = { code: 'state_not_ready' };
    await expect(states.access.findClient(client.client_id)).rejects.toMatchObject(notReady);
    await expect(states.access.findToken(0, token.token_hash)).rejects.toMatchObject(notReady);
    await expect(states.access.putToken(token)).rejects.toMatchObject(notReady);
    await expect(states.access.denyToken(revocationOf(token))).rejects.toMatchObject(notReady);
    await expect(states.access.chargeTokenRequest('10.0.0.1')).rejects.toMatchObject(notReady);
    await expect(states.access.chargeProvenClient(client.client_id, '10.0.0.1'))
      .rejects.toMatchObject(notReady);
    await expect(states.access.recordTokenFailure(client.client_id, '10.0.0.1'))
      .rejects.toMatchObject(notReady);
    await states.access.applyClient(client);
    await states.access.applyTokens([token]);
  });
}
