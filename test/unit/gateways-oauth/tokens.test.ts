import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import { issueToken } from '../../../services/gateways/oauth/operations/issue-token.ts';
import type { TakenCall } from '../../../services/kernel/taken-calls.ts';
import { revokeToken } from '../../../services/gateways/oauth/operations/revoke-token.ts';
import type { ClientRecorded } from '../../../services/kernel/access.ts';
import { shardOf } from '../../../services/kernel/shards.ts';
import { callOf, written } from '../../support/calls.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { fakeStates, type FakeStates } from '../../support/fake-states.ts';

const CLIENT = '100000000000001';
const secrets = keyedSecrets('pepper-of-the-test');
const secretOf = (name: string) => ({
  secret_id: name, hash: secrets.hash(`secret-${name}`), created_at_ms: 0,
});
const client: ClientRecorded = {
  type: 'ClientRecorded', client_id: CLIENT, user_id: '7', name: 'Acme', providers: ['acme'],
  audiences: ['rtt', 'booking'], scopes: ['rtt:locations'],
  secrets: [secretOf('old'), secretOf('new')], status: 'active', version: 1, at_ms: 0,
};
const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

let log: FakeRecordLog;
let states: FakeStates;

beforeEach(async () => {
  log = fakeRecordLog();
  states = fakeStates({ tokenRequestsBurst: 20 });
  await states.access.applyClient(client);
});

async function ask(
  authorization: string | undefined, audience = 'rtt', address = '10.0.0.1',
) {
  const clock = { nowMs: () => Date.now() };
  const operation = issueToken({ states: states.access, log, clock, secrets });
  const headers = authorization === undefined ? {} : { authorization };
  const body = { audience, grant_type: 'client_credentials' };
  return written(operation, await operation.handle(callOf({ headers, body, address })));
}

async function issued(audience = 'rtt'): Promise<string> {
  return String((await ask(basic(CLIENT, 'secret-new'), audience)).body['access_token']);
}

async function revoke(headerToken: string, token: string, clientId = CLIENT) {
  const operation = revokeToken({
    states: states.access, log, clock: { nowMs: () => Date.now() },
  });
  return written(operation, await operation.handle(callOf({
    clientId, body: { token }, headers: { authorization: `Bearer ${headerToken}` },
  })));
}

const isGood = async (token: string) => {
  const facts = await states.admission.read({
    tokenHash: hashOf(token), shard: shardOf(CLIENT), deviceId: undefined, locations: 0,
    notifications: 0, bytes: 0,
    charges: true,
  });
  return facts.caller !== undefined;
};

describe('issuing a token', () => {
  it('[TOK-01] [TOK-02] answers 200 with a bearer token of 21600 seconds', async () => {
    const { status, body } = await ask(basic(CLIENT, 'secret-new'));
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 21_600 });
    expect(await isGood(String(body['access_token']))).toBe(true);
  });

  it('[TOK-25] names the scopes of the token only to who asked for some', async () => {
    const operation = issueToken({
      states: states.access, log, clock: { nowMs: () => Date.now() }, secrets,
    });
    const scopeFor = async (scope?: string): Promise<unknown> => {
      const body = { audience: 'rtt', grant_type: 'client_credentials', scope };
      const headers = { authorization: basic(CLIENT, 'secret-new') };
      const call = callOf({ headers, body, address: '10.0.0.1' });
      return written(operation, await operation.handle(call)).body['scope'];
    };
    expect(await scopeFor('everything')).toBe('rtt:locations');
    expect(await scopeFor('')).toBeUndefined();
    expect(await scopeFor()).toBeUndefined();
  });

  it('is a taken call of the client, a refusal is none', async () => {
    const taken: TakenCall[] = [];
    const operation = issueToken({
      states: states.access, log, clock: { nowMs: () => Date.now() }, secrets,
      takenCalls: { report: (call) => { taken.push(call); } },
    });
    const body = { audience: 'rtt', grant_type: 'client_credentials' };
    for (const secret of ['guess', 'secret-new']) {
      await operation.handle(callOf({
        headers: { authorization: basic(CLIENT, secret) }, body, address: '10.0.0.1', nowMs: 7,
      }));
    }
    expect(taken).toEqual([{ clientId: CLIENT, operation: 'issue-token', atMs: 7 }]);
  });

  it('takes both live secrets of a rotation', async () => {
    expect((await ask(basic(CLIENT, 'secret-old'))).status).toBe(200);
    expect((await ask(basic(CLIENT, 'secret-new'))).status).toBe(200);
  });

  it('[TOK-06] [TOK-07] [TOK-09] answers 401 in the same words for whatever is wrong', async () => {
    const wrong = [
      undefined, 'Bearer x', 'Basic !!!', `Basic ${Buffer.from('no colon').toString('base64')}`,
      basic(CLIENT, 'guess'), basic('999999999999999', 'secret-new'),
    ];
    const answers = await Promise.all(wrong.map((header) => ask(header)));
    expect(answers.map((each) => each.status)).toEqual(wrong.map(() => 401));
    expect(answers[4]).toEqual(answers[5]);
  });

  it('[TOK-08] [TOK-10] answers 401 for an audience of others, with the words of OAuth', async () => {
    const { status, body } = await ask(basic(CLIENT, 'secret-new'), 'fiscal-info');
    expect(status).toBe(401);
    expect(body).toMatchObject({ error: 'unauthorized_client', status: 401 });
    expect(body['error_description']).toBe(body['detail']);
  });

  it('[TOK-13] never gives the same token twice, and each carries 256 random bits', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => issued()));
    expect(new Set(tokens).size).toBe(10);
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{2}[A-Za-z0-9_-]{43}$/);
  });

  it('[TOK-14] puts only the hash of a token into the log and the store', async () => {
    const token = await issued();
    const stored = JSON.stringify(states.dump(), (_key, value: unknown) =>
      value instanceof Map ? [...value.entries()] as unknown : value);
    const kept = JSON.stringify(log.appended.map((each) => [each.key, each.value])) + stored;
    expect(kept).not.toContain(token);
    expect(kept).toContain(hashOf(token));
  });

  it('[TOK-12] gives one client tokens of several audiences at once', async () => {
    const [first, second] = [await issued('rtt'), await issued('booking')];
    expect(await isGood(first)).toBe(true);
    expect(await isGood(second)).toBe(true);
  });

  it('[TOK-24] answers 429 with Retry-After beyond the limit of a client', async () => {
    const answers = [];
    for (let i = 0; i < 22; i++) answers.push(await ask(basic(CLIENT, 'secret-new')));
    const last = answers.at(-1);
    expect(last?.status).toBe(429);
    expect(Number(last?.headers['Retry-After'])).toBeGreaterThan(0);
    expect(answers[0]?.status).toBe(200);
  });

  it('[TOK-24] lets wrong secrets wait, and gives the right one its token meanwhile', async () => {
    const wrong = basic(CLIENT, 'secret-none');
    const waits: number[] = [];
    for (let i = 0; i < 7; i++) waits.push(Number((await ask(wrong)).headers['Retry-After'] ?? 0));
    expect(waits).toEqual([0, 0, 0, 0, 0, 1, 1]);
    expect((await ask(basic(CLIENT, 'secret-new'))).status).toBe(200);
    expect((await ask(wrong)).status).toBe(401);
  });

  it('[TOK-24] limits all addresses of one host together', async () => {
    const answers = [];
    for (let i = 0; i < 22; i++) {
      answers.push(await ask(basic(`1000000000010${i + 10}`, 'x'), 'rtt', `2001:db8::${i}`));
    }
    expect(answers[19]?.status).toBe(401);
    expect(answers.at(-1)?.status).toBe(429);
  });

  it('[TOK-24] lets no stranger behind the same balancer use up what a proven client has', async () => {
    for (let i = 0; i < 30; i++) await ask(basic(`1000000000010${i + 10}`, 'x'));
    expect((await ask(basic('100000000000999', 'x'))).status).toBe(429);
    expect((await ask(basic(CLIENT, 'secret-new'))).status).toBe(200);
  });

  it('[TOK-24] lets no wrong secret use up the limit of a client', async () => {
    for (let i = 0; i < 60; i++) {
      await ask(basic(CLIENT, 'secret-none'), 'rtt', `10.0.${i}.1`);
    }
    expect((await ask(basic(CLIENT, 'secret-new'))).status).toBe(200);
  });

  it('[TOK-11] fails as a fault when the log or the store is down', async () => {
    log.failWith('log_unavailable', 1);
    await expect(ask(basic(CLIENT, 'secret-new'))).rejects.toMatchObject({ code: 'log_unavailable' });
    states.failWith('state_unavailable');
    await expect(ask(basic(CLIENT, 'secret-new'))).rejects.toMatchObject({
      code: 'state_unavailable',
    });
  });
});

describe('revoking a token', () => {
  it('[TOK-16] [TOK-17] [TOK-18] ends it at once, and no other', async () => {
    const [header, token, other] = [await issued('revoke'), await issued(), await issued()];
    expect(await revoke(header, token)).toMatchObject({ status: 200, body: { status: 'OK' } });
    expect(await isGood(token)).toBe(false);
    expect(await isGood(other)).toBe(true);
    expect(await isGood(header)).toBe(true);
  });

  it('[TOK-19] of the header token answers 400, and it stays good', async () => {
    const header = await issued('revoke');
    expect(await revoke(header, header)).toMatchObject({ status: 400, body: { status: 'FAILED' } });
    expect(await isGood(header)).toBe(true);
  });

  it('[TOK-23] of an unknown or foreign token answers 200 and does nothing', async () => {
    const [header, token] = [await issued('revoke'), await issued()];
    expect((await revoke(header, 'nonsense')).status).toBe(200);
    expect((await revoke(header, `00${'x'.repeat(43)}`)).status).toBe(200);
    expect((await revoke(header, token, '100000000000002')).status).toBe(200);
    expect(await isGood(token)).toBe(true);
  });

  it('keeps denying when the log fails after the denial', async () => {
    const [header, token] = [await issued('revoke'), await issued()];
    log.failWith('log_unavailable', 1);
    await expect(revoke(header, token)).rejects.toMatchObject({ code: 'log_unavailable' });
    expect(await isGood(token)).toBe(false);
  });
});
