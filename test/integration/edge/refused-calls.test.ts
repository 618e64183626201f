import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { namesOfInterface } from '../../../services/adapters/schema/names-in.ts';
import { systemPause } from '../../../services/adapters/system/system.ts';
import { createRefusedCalls, REFUSED_CALLS_LIMITS } from '../../../services/gateways/common/refused-calls.ts';
import type { RefusalStore } from '../../../services/kernel/refusals.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { EDGE_TOKEN, GOOD_FACTS, locationsBody, openEdge, type Edge } from '../../support/edge.ts';
import { sessionCookie } from '../../../services/kernel/sessions.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';

const CLIENT = GOOD_FACTS.caller?.clientId ?? '';
const CANARY = 'Ana-Souza-5511987654321';
const PHONE = 5_511_987_654_321;
const names = namesOfInterface();
let states: OpenedRedis;

beforeAll(async () => { states = await openRedisStates(); });
beforeEach(async () => { await states.wipe(); });
afterAll(async () => { await states.close(); });

/** An edge that keeps refused calls in a store. */
function edgeOver(store: Pick<RefusalStore, 'keep'>): Promise<Edge> {
  return openEdge({
    refusedCalls: createRefusedCalls({ ...REFUSED_CALLS_LIMITS, gatherMs: 20 }, {
      store, pause: systemPause, signals: silentSignals, isKnownName: (name) => names.has(name),
    }),
  });
}

/** Bodies and calls that are refused, each with the canary where a text or a name may be. */
function hostilePosts(): readonly Parameters<Edge['post']>[] {
  const [location] = locationsBody().locations;
  const bodies = [
    { ...locationsBody(), device_id: { [CANARY]: CANARY } },
    { ...locationsBody(), post_timestamp: CANARY },
    { ...locationsBody(), locations: CANARY },
    { ...locationsBody(), locations: [{ ...location, latitude: CANARY }] },
    { ...locationsBody(), locations: [{ ...location, latitude: PHONE }] },
    { ...locationsBody(), locations: [{ ...location, metadata: { [CANARY]: { [CANARY]: 1 } } }] },
    { ...locationsBody(), locations: [{ ...location, timestamp: -PHONE, [CANARY]: CANARY }] },
    { ...locationsBody(), m: CANARY },
  ].map((body) => JSON.stringify(body));
  return [
    ...[...bodies, `{"${CANARY}":1,"${CANARY}":2}`, `"${CANARY}"`, `{"${CANARY}`, `[[${CANARY}]]`]
      .map((body): Parameters<Edge['post']> => [body]),
    [bodies[0] ?? '', { headers: { 'content-type': CANARY } }],
    [bodies[0] ?? '', { headers: { 'x-request-id': CANARY, 'x-client-id': CANARY } }],
    [bodies[0] ?? '', {
      path: `/shipping/rtt/georeceiver/${CANARY}/locations?country_id=${CANARY}&${CANARY}=1`,
    }],
    [bodies[0] ?? '', { path: `/shipping/rtt/georeceiver/acme/locations?country_id=${CANARY}` }],
  ];
}

describe('refused calls', () => {
  it('[GEN-55] are kept with operation, status, code and place, and hold no value of a call', async () => {
    const edge = await edgeOver(states.refusals);
    try {
      const codes = new Set<string>();
      for (const post of hostilePosts()) {
        const response = await edge.post(...post);
        expect([400, 403]).toContain(response.status);
        codes.add((await response.json() as { code: string }).code);
      }
      const kept = () => states.refusals.find(CLIENT);
      await expect.poll(async () => (
        (await kept()).reduce((sum, { count }) => sum + count, 0)
      ), { timeout: 10_000 }).toBe(hostilePosts().length);
      const refusals = await kept();
      expect(new Set(refusals.map(({ code }) => code))).toEqual(codes);
      expect(refusals.flatMap(({ pointers }) => pointers)).toContain('/locations/0/latitude');
      expect(refusals.every(({ operation }) => operation === 'send-locations')).toBe(true);
      const inStore = JSON.stringify(await states.dump());
      expect(inStore).toContain('send-locations');
      expect(inStore).not.toMatch(/Ana|Souza|5511987654321/);
    } finally {
      await edge.close();
    }
  });

  it('[GEN-54] of strangers are not kept, nor are answers that are no refusal', async () => {
    const edge = await edgeOver(states.refusals);
    try {
      edge.admit({ ...GOOD_FACTS, caller: undefined });
      expect((await edge.post(JSON.stringify(locationsBody()))).status).toBe(403);
      edge.admit(GOOD_FACTS);
      expect((await edge.post(JSON.stringify(locationsBody()))).status).toBe(202);
      edge.log.failWith('log_unavailable');
      expect((await edge.post(JSON.stringify(locationsBody()))).status).toBe(500);
      expect((await edge.post('{')).status).toBe(400);
      await expect.poll(() => states.refusals.find(CLIENT), { timeout: 10_000 })
        .toMatchObject([{ code: 'malformed_json', count: 1 }]);
      expect(await states.raw.keys('*:refusals:*')).toHaveLength(1);
    } finally {
      await edge.close();
    }
  });

  it('[GEN-54] of the console are left out: a person who looks is no program', async () => {
    const edge = await edgeOver(states.refusals);
    const cookie = sessionCookie(new Map([['rtt', EDGE_TOKEN]]), '127.0.0.1').split(';')[0] ?? '';
    try {
      const inConsole = { authorization: null, cookie, origin: edge.url };
      expect((await edge.post('{', { headers: inConsole })).status).toBe(400);
      expect((await edge.post('[1')).status).toBe(400);
      await expect.poll(() => states.refusals.find(CLIENT), { timeout: 10_000 })
        .toMatchObject([{ code: 'malformed_json', count: 1 }]);
    } finally {
      await edge.close();
    }
  });

  it('[GEN-54] above a limit are kept with its name', async () => {
    const edge = await edgeOver(states.refusals);
    try {
      edge.admit({ ...GOOD_FACTS, quota: {
        of: 'client-locations', allowed: false, limit: 20_000, remaining: 0, resetSeconds: 2,
      } });
      expect((await edge.post(JSON.stringify(locationsBody()))).status).toBe(429);
      await expect.poll(() => states.refusals.find(CLIENT), { timeout: 10_000 })
        .toMatchObject([{ code: 'rate_limited', pointers: ['/limits/client-locations'] }]);
      // What was refused for another reason has no limit, also above one.
      edge.admit({
        ...GOOD_FACTS, caller: { ...GOOD_FACTS.caller!, scopes: [] },
        quota: { of: 'client', allowed: false, limit: 400, remaining: 0, resetSeconds: 2 },
      });
      expect((await edge.post(JSON.stringify(locationsBody()))).status).toBe(403);
      await expect.poll(async () => (
        (await states.refusals.find(CLIENT)).find(({ status }) => status === 403)
      ), { timeout: 10_000 }).toMatchObject({ code: 'insufficient_scope', pointers: [] });
    } finally {
      await edge.close();
    }
  });

  it('[GEN-54] wait for no store: a store that hangs or fails slows and fails no call', async () => {
    let asked = 0;
    const edge = await edgeOver({
      keep: () => {
        asked += 1;
        return asked === 1 ? Promise.reject(new Error('full')) : new Promise(() => undefined);
      },
    });
    try {
      for (const stores of [1, 2, 2]) {
        for (let at = 0; at < 20; at += 1) expect((await edge.post('{')).status).toBe(400);
        await expect.poll(() => asked, { timeout: 5_000 }).toBeGreaterThanOrEqual(stores);
      }
      expect(asked).toBe(2);
    } finally {
      await edge.close();
    }
  });
});
