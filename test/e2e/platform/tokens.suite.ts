import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isDecoded } from '../../../services/kernel/record-log.ts';
import { basic, type PlatformCallWishes, type PlatformReply } from '../../support/platform-calls.ts';
import { eventually, type TestEnv, type TestClient } from '../../support/platform.ts';
import { deviceBody, DEVICES_PATH } from '../../support/platform-actor.ts';
import { sha256 } from '../../support/state-facts.ts';

const AUDIENCES = [
  'authorizations', 'tracking-pull', 'agencies', 'booking', 'logistic-feed', 'handling-unit',
  'rtt', 'fiscal-info', 'revoke', 'coverage',
];
const GOOD = { audience: 'rtt', grant_type: 'client_credentials' };

/** Tokens through the whole platform: what is asked, what is answered (interface, 2). */
export function tokensSuite(at: () => TestEnv): void {
  describe('tokens', () => {
    let client: TestClient;
    beforeAll(async () => {
      client = await at().addClient(...AUDIENCES.flatMap((each) => ['--audience', each]));
    });
    const ask = (wishes: PlatformCallWishes = {}): Promise<PlatformReply> => at().call('/oauth/token', {
      body: GOOD, ...wishes,
      headers: {
        authorization: basic(client.client_id, client.client_secret), ...wishes.headers,
      },
    });

    it('[TOK-01] [TOK-02] [TOK-13] gives a bearer token of six hours, another each time', async () => {
      const [first, second] = await Promise.all([ask(), ask()]);
      for (const reply of [first, second]) {
        expect(reply.status).toBe(200);
        expect(reply.headers.get('cache-control')).toBe('no-store');
        expect(reply.body).toEqual({
          access_token: expect.stringMatching(/^[0-9a-f]{2}[A-Za-z0-9_-]{43}$/) as string,
          token_type: 'Bearer', expires_in: 21_600,
        });
      }
      expect(first.body['access_token']).not.toBe(second.body['access_token']);
    });

    it('[TOK-03] knows ten audiences, and no other', async () => {
      const known = await Promise.all(AUDIENCES.map((audience) =>
        ask({ body: { ...GOOD, audience } })));
      expect(known.map((reply) => reply.status)).toEqual(AUDIENCES.map(() => 200));
      const unknown = await Promise.all([
        { grant_type: GOOD.grant_type }, ...['', 'RTT', 'rtt ', 'all', 7, null, ['rtt']].map(
          (audience) => ({ ...GOOD, audience })),
      ].map((body) => ask({ body })));
      expect(unknown.map((reply) => reply.status)).toEqual(unknown.map(() => 400));
    });

    it('[TOK-04] [TOK-10] refuses any other grant type, in the words of RFC 6749', async () => {
      for (const grant_type of [undefined, '', 'password', 'CLIENT_CREDENTIALS', 1, null]) {
        const reply = await ask({ body: { audience: 'rtt', grant_type } });
        expect(reply.status).toBe(400);
        expect(reply.headers.get('content-type')).toBe('application/problem+json');
        expect(reply.body).toMatchObject({
          status: 400, error: 'unsupported_grant_type', code: 'validation_failed',
          error_description: expect.any(String) as string,
        });
      }
    });

    it('[TOK-25] takes the form of stock OAuth libraries, with the same answers', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
      const asked = (body: string) => ask({ body, headers });
      const plain = await asked('grant_type=client_credentials&audience=rtt');
      expect([plain.status, plain.body['expires_in'], plain.body['scope']])
        .toEqual([200, 21_600, undefined]);
      const scoped = await asked(
        'grant_type=client_credentials&scope=rtt%3Alocations&resource=urn%3Ax&audience=rtt',
      );
      expect(scoped.status).toBe(200);
      expect(scoped.body['scope']).toMatch(/\brtt:locations\b/);
      const refused = await Promise.all([
        'grant_type=password&audience=rtt', 'grant_type=client_credentials',
        'grant_type=client_credentials&audience=RTT', '{"audience":"rtt"}',
        'grant_type=client_credentials&audience=rtt&audience=rtt',
      ].map(asked));
      expect(refused.map((reply) => reply.status)).toEqual(refused.map(() => 400));
      expect(refused[0]?.body['error']).toBe('unsupported_grant_type');
      const { client_id, client_secret } = client;
      const inBody = new URLSearchParams({ ...GOOD, client_id, client_secret }).toString();
      expect((await ask({ body: inBody, headers: { ...headers, authorization: null } })).status)
        .toBe(401);
    });

    it('[TOK-05] [GEN-22] takes JSON or a form, whatever else the type says', async () => {
      const form = 'audience=rtt&grant_type=client_credentials';
      const types = ['multipart/form-data', 'text/plain', 'application/xml'];
      for (const type of types) {
        const reply = await ask({ body: form, headers: { 'content-type': type } });
        expect([reply.status, reply.body['code']]).toEqual([400, 'unsupported_media_type']);
      }
      const spelled = { 'content-type': 'Application/JSON; charset="UTF-8"' };
      for (const headers of [spelled, { 'content-type': 'text/json' }, { 'content-type': '' }]) {
        expect((await ask({ body: JSON.stringify(GOOD), headers })).status).toBe(200);
      }
    });

    it('[TOK-06] answers an unknown client and a wrong secret alike, with 401', async () => {
      const replies = await Promise.all([
        basic(client.client_id, 'wrong'), basic('100000000000000', client.client_secret),
        basic(client.client_id, ''), basic(client.client_id, `${client.client_secret} `),
        basic('', client.client_secret), basic('no-such client', 'x'.repeat(500)),
      ].map((authorization) => ask({ headers: { authorization } })));
      for (const reply of replies) {
        expect(reply.status).toBe(401);
        expect(reply.headers.get('www-authenticate')).toMatch(/^Basic/);
        expect(reply.body).toMatchObject({ error: 'invalid_client', code: 'invalid_client' });
      }
    });

    it('[TOK-07] [TOK-09] needs the Basic header; nothing in the body replaces it', async () => {
      const { client_id, client_secret } = client;
      const good = basic(client_id, client_secret);
      for (const authorization of [
        null, '', 'Basic', 'Basic ', 'Basic !!!', good.replace('Basic ', ''),
        good.replace('Basic', 'Bearer'), `${good} ${good}`, `Basic ${client_id}:${client_secret}`,
        `Basic ${Buffer.from('no colon').toString('base64')}`,
      ]) {
        const body = { ...GOOD, client_id, client_secret };
        expect((await ask({ body, headers: { authorization } })).status).toBe(401);
      }
      expect((await ask({ headers: { authorization: good.replace('Basic', 'basic') } })).status)
        .toBe(200);
    });

    it('[TOK-08] answers an audience without access with 401', async () => {
      const narrow = await at().addClient('--audience', 'rtt');
      const authorization = basic(narrow.client_id, narrow.client_secret);
      const reply = await ask({
        body: { ...GOOD, audience: 'booking' }, headers: { authorization },
      });
      expect([reply.status, reply.body['error']]).toEqual([401, 'unauthorized_client']);
    });

    it('[TOK-12] [RTT-05] a token opens its own audience and no other', async () => {
      const tokens = await Promise.all(AUDIENCES.map((each) => at().token(client, each)));
      const replies = await Promise.all(tokens.map((token) =>
        at().call(DEVICES_PATH, { token, body: deviceBody() }, 1)));
      expect(replies.map((reply) => reply.status))
        .toEqual(AUDIENCES.map((each) => (each === 'rtt' ? 201 : 403)));
      const wrong = replies[AUDIENCES.indexOf('booking')];
      expect(wrong?.body).toMatchObject({ code: 'wrong_audience' });
    });

    it('[TOK-14] keeps the hash of a token and of a secret, and neither itself', async () => {
      const platform = at();
      const token = await platform.token(client);
      await platform.call(DEVICES_PATH, { token, body: deviceBody() });
      const secrets = [token, client.client_secret];
      const names = await platform.raw.keys('*');
      expect(names.some((name) => name.endsWith(`:token:${sha256(token)}`))).toBe(true);
      const hashes = await Promise.all(names.map(async (name) => (
        await platform.raw.type(name) === 'hash' ? platform.raw.hgetall(name) : {}
      )));
      const kept = [names.join(' '), JSON.stringify(hashes)];
      await platform.log.reader.readToEnd(['oauth.tokens.v1', 'oauth.clients.v1'],
        async (records) => {
          for (const record of records) if (isDecoded(record)) kept.push(record.value.toString());
        });
      for (const name of ['gateway-1', 'gateway-2', 'projectors']) {
        kept.push(readFileSync(join(platform.dir, name, 'output.log'), 'utf8'));
      }
      expect(kept.join('').length).toBeGreaterThan(10_000);
      for (const secret of secrets) expect(kept.join(' ').includes(secret)).toBe(false);
    });

    it('[TOK-15] [RTT-04] works until its end, and is refused from then on', async () => {
      const { raw, call } = at();
      const token = await at().token(client);
      const [key = ''] = await raw.keys(`*:token:${sha256(token)}`);
      const { issued_at_ms, expires_at_ms } = await raw.hgetall(key);
      expect(Number(expires_at_ms) - Number(issued_at_ms)).toBe(21_600_000);
      const use = (): Promise<PlatformReply> => call(DEVICES_PATH, { token, body: deviceBody('late') });
      expect((await use()).status).toBe(201);
      const endsAt = Date.now() + 1_000;
      const seen = new Set<number>();
      await eventually('The end of the token', async () => {
        // The projector may not have written the real end yet.
        await raw.hset(key, 'expires_at_ms', endsAt);
        seen.add((await use()).status);
        return Date.now() > endsAt && seen.has(403);
      });
      expect([...seen]).toEqual([208, 403]);
      expect((await use()).body).toMatchObject({ code: 'invalid_token' });
    });
  });
}
