import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import {
  BODY_WAYS, EDGE_TOKEN, GOOD_FACTS, locationsBody, openEdge, problemOf, type Edge,
} from '../../support/edge.ts';

const BODY = JSON.stringify(locationsBody());
const NO_COUNTRY = '/shipping/rtt/georeceiver/acme/locations';

describe.each(BODY_WAYS)('a call at the edge, %s', (_way, wishes) => {
  let edge: Edge;

  beforeAll(async () => { edge = await openEdge(wishes); });
  afterAll(() => edge.close());
  afterEach(() => { edge.admit(GOOD_FACTS); });

  it('[LOC-01] [GEN-06] is answered 202 with an Ingest-Id', async () => {
    const response = await edge.post(BODY);
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ status: 202, message: 'Accepted' });
    expect(response.headers.get('ingest-id')).toBe(
      edge.log.appended.at(-1)?.headers['ingest-id'],
    );
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-powered-by')).toBeNull();
    expect(response.headers.get('etag')).toBeNull();
  });

  it('[RTT-01] without country_id is answered 400', async () => {
    const response = await edge.post(BODY, { path: NO_COUNTRY });
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({
      code: 'missing_parameter', errors: [{ pointer: '/query/country_id' }],
    });
  });

  it.each(['XX', '', 'BR%20', 'BRAZ', '%00'])(
    '[RTT-03] with country_id "%s" is answered 400', async (country) => {
      const path = `${NO_COUNTRY}?country_id=${country}`;
      expect((await edge.post(BODY, { path })).status).toBe(400);
    },
  );

  it('with the same parameter twice is answered 400', async () => {
    const path = `${NO_COUNTRY}?country_id=BR&country_id=BR`;
    expect(await problemOf(await edge.post(BODY, { path }))).toMatchObject({
      status: 400, code: 'invalid_parameter',
    });
  });

  it.each([null, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer short', `Bearer ${EDGE_TOKEN} x`,
    `Bearer ff${'t'.repeat(43)}`, `Token ${EDGE_TOKEN}`])(
    '[RTT-04] with the Authorization %j is answered 403 and never reaches the state store',
    async (authorization) => {
      const before = edge.asked.length;
      const response = await edge.post(BODY, { headers: { authorization } });
      expect(response.status).toBe(403);
      expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      expect(edge.asked).toHaveLength(before);
    },
  );

  it('[RTT-04] with an unknown, expired or revoked token is answered 403', async () => {
    edge.admit({ caller: undefined, device: undefined, quota: undefined });
    const response = await edge.post(BODY);
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(await problemOf(response)).toMatchObject({ code: 'invalid_token' });
  });

  it('[RTT-05] [RTT-06] with a token for something else is answered 403', async () => {
    edge.admit({ ...GOOD_FACTS, caller: { ...GOOD_FACTS.caller!, audience: 'revoke' } });
    expect(await problemOf(await edge.post(BODY))).toMatchObject({ code: 'wrong_audience' });
    edge.admit({ ...GOOD_FACTS, caller: { ...GOOD_FACTS.caller!, scopes: ['rtt:devices'] } });
    const response = await edge.post(BODY);
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  });

  it('is asked about with the hash of its token, never the token', async () => {
    await edge.post(BODY, { headers: { authorization: `bearer  ${EDGE_TOKEN}` } });
    const asked = edge.asked.at(-1);
    expect(asked).toMatchObject({ shard: 0, deviceId: 'device-1', locations: 1 });
    expect(asked?.tokenHash).toMatch(/^[0-9a-f]{64}$/);
    expect(edge.lines.join('')).not.toContain(EDGE_TOKEN);
  });

  it('[RTT-09] [RTT-11] of another client or provider is answered 403', async () => {
    const headers = { 'x-client-id': '100000000000043' };
    expect(await problemOf(await edge.post(BODY, { headers }))).toMatchObject({
      code: 'client_id_mismatch', status: 403,
    });
    for (const provider of ['other', 'Acme', '..%2f..%2fadmin', '%00', 'a%20b']) {
      const path = `/shipping/rtt/georeceiver/${provider}/locations?country_id=BR`;
      expect(await problemOf(await edge.post(BODY, { path })), provider).toMatchObject({
        code: 'provider_not_allowed', status: 403,
      });
    }
  });

  it('[LOC-16] for a foreign device gets the very same answer as for a missing one', async () => {
    edge.admit({ ...GOOD_FACTS, device: undefined });
    const headers = { 'x-request-id': 'same' };
    const [missing, foreign] = await Promise.all(
      ['no-such-device', 'device-of-another'].map(async (device_id) => {
        const body = JSON.stringify({ ...locationsBody(), device_id });
        const response = await edge.post(body, { headers });
        return { status: response.status, text: await response.text() };
      }),
    );
    expect(missing?.status).toBe(403);
    expect(foreign).toEqual(missing);
  });

  it('[RTT-12] above its limit is answered 429 with Retry-After and RateLimit headers', async () => {
    edge.admit({
      ...GOOD_FACTS, quota: { of: 'client', allowed: false, limit: 400, remaining: 0, resetSeconds: 2 },
    });
    const response = await edge.post(BODY);
    expect(response.status).toBe(429);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'retry-after': '300', 'ratelimit-limit': '400', 'ratelimit-remaining': '0',
      'ratelimit-reset': '300', ratelimit: '"client";r=0;t=300', 'ratelimit-policy': '"client";q=400',
    });
  });

  it('[RTT-12] that is accepted says what is left', async () => {
    const response = await edge.post(BODY);
    expect(response.headers.get('ratelimit-remaining')).toBe('399');
  });

  it('that is faulty teaches nothing to a caller who may not call', async () => {
    edge.admit({ caller: undefined, device: undefined, quota: undefined });
    for (const [body, path] of [
      ['{', undefined], ['{}', undefined], [BODY, NO_COUNTRY], ['x'.repeat(2_000_000), undefined],
    ] as const) {
      const response = await edge.post(body, path === undefined ? {} : { path });
      expect(response.status).toBe(403);
      expect(await problemOf(response)).toMatchObject({ code: 'invalid_token', errors: [] });
    }
    expect(edge.asked.at(-1)).toMatchObject({ deviceId: undefined, locations: 0 });
  });

  it('that is faulty and above its limit is answered 429', async () => {
    edge.admit({ ...GOOD_FACTS, quota: { ...GOOD_FACTS.quota!, allowed: false } });
    expect((await edge.post('{')).status).toBe(429);
  });

  it.each([
    ['GET', '/shipping/rtt/georeceiver/acme'],
    ['POST', '/shipping/rtt/georeceiver/acme/locations/?country_id=BR'],
    ['POST', '/SHIPPING/rtt/georeceiver/acme/locations?country_id=BR'],
    ['POST', '/v1/shipping/rtt/georeceiver/acme/locations?country_id=BR'],
    ['POST', '/'],
  ])('[RTT-16] [GEN-29] to %s %s is answered 404', async (method, path) => {
    const body = method === 'GET' ? null : BODY;
    const response = await edge.post(body, { method, path });
    expect(response.status).toBe(404);
    expect(await problemOf(response)).toMatchObject({ code: 'route_not_found' });
  });

  it.each(['GET', 'OPTIONS', 'DELETE', 'PUT'])(
    '[GEN-29] by %s, which its path does not take, is answered 405 with `Allow`',
    async (method) => {
      const path = '/shipping/rtt/georeceiver/acme/locations?country_id=BR';
      const response = await edge.post(method === 'GET' ? null : BODY, { method, path });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
      expect(await problemOf(response)).toMatchObject({
        code: 'method_not_allowed', detail: `This path takes POST, not ${method}.`,
      });
    });

  it('to a path that cannot be decoded is answered 400', async () => {
    const path = '/shipping/rtt/georeceiver/%ff/locations?country_id=BR';
    expect((await edge.post(BODY, { path })).status).toBe(400);
  });

  it('[GEN-08] [GEN-09] that fails has every field of the common error body', async () => {
    const response = await edge.post('{}', { headers: { 'x-request-id': 'my-id-1' } });
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('x-request-id')).toBe('my-id-1');
    const problem = await problemOf(response);
    expect(Object.keys(problem).sort()).toEqual([
      'code', 'detail', 'errors', 'instance', 'message', 'request_id', 'status', 'title', 'type',
    ]);
    expect(problem).toMatchObject({ status: 400, request_id: 'my-id-1' });
    expect(problem.message).toBe(problem.detail);
  });

  it('[GEN-46] is kept in no cache and read as what it says, whatever the answer', async () => {
    const { port } = edge;
    const unreadable = await edge.raw('no HTTP at all\r\n\r\n');
    expect(unreadable).toContain('Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n');
    const answers = [
      await edge.post(BODY), await edge.post('{}'),
      await edge.post(BODY, { headers: { authorization: null } }),
      await fetch(`http://127.0.0.1:${port}/nowhere`),
    ];
    for (const { status, headers } of answers) {
      expect([status, headers.get('cache-control'), headers.get('x-content-type-options')])
        .toEqual([status, 'no-store', 'nosniff']);
    }
  });

  it('does not repeat a request id that could do harm', async () => {
    const response = await edge.post('{}', { headers: { 'x-request-id': '<script>' } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('where X-Client-Id is mandatory', () => {
  it('[RTT-10] a call without it is answered 403, with it 202', async () => {
    const edge = await openEdge({ clientIdRequired: true });
    const without = await edge.post(BODY);
    expect(without.status).toBe(403);
    expect(await problemOf(without)).toMatchObject({ code: 'client_id_required' });
    const headers = { 'x-client-id': '100000000000042' };
    expect((await edge.post(BODY, { headers })).status).toBe(202);
    await edge.close();
  });
});

describe('an operation that takes a form', () => {
  it('[GEN-13] gets its fields, validated by their schema', async () => {
    const bodies: unknown[] = [];
    const edge = await openEdge({
      operations: [{
        id: 'form', method: 'POST', path: '/form', authentication: 'none', bodyKind: 'form',
        bodySchema: 'RevokeRequest', bodyBytesMax: 4_096, needsCountry: false,
        errors: problemErrors,
        handle: async ({ body }) => {
          bodies.push(body);
          return { kind: 'answer', status: 200, body: {} };
        },
      }],
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const statusOf = async (body: string, own = headers): Promise<number> =>
      (await edge.post(body, { path: '/form', headers: own })).status;
    expect(await statusOf('token=a+b')).toBe(200);
    expect(bodies).toEqual([{ token: 'a b' }]);
    expect(await statusOf('token=')).toBe(400);
    expect(await statusOf('other=1')).toBe(400);
    expect(await statusOf('token=a&token=b')).toBe(400);
    expect(await statusOf('{"token":"a"}', { 'content-type': 'application/json' })).toBe(400);
    await edge.close();
  });
});
