import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../../schemas/generated/catalog.ts';
import { realOf, WRITING } from '../../../support/dry-runs.ts';
import { everyOperation } from '../../../support/every-operation.ts';
import {
  dryProbe, registration, tokenCall, type Probe, type Tenant, type Things,
} from '../../../support/isolation/calls.ts';
import { CASES, OF_THE_PLATFORM, WITHOUT_CLIENTS } from '../../../support/isolation/cases.ts';
import { openTenants, type Tenants } from './isolation-env.ts';

/** Served by another deployable, which knows one client: the platform. */
const SERVED_ELSEWHERE = ['provider-command'];

let at: Tenants;
beforeAll(async () => { at = await openTenants(); });
afterAll(() => at.close());

/** An answer without what differs between any two calls: ids, times, and the names asked for. */
async function comparable(response: Response, things: Things): Promise<object> {
  const named = Object.values(things).map(String).filter((name) => name.length > 8);
  const text = named.reduce(
    (cleaned, name) => cleaned.replaceAll(name, '<name>'), await response.text(),
  );
  const passing = /^(date|ingest-id|ratelimit.*|content-length|keep-alive)$/;
  const headers = [...response.headers].filter(([name]) => !passing.test(name))
    .map(([name, value]) => [name, name === 'x-request-id' ? '<id>' : value]);
  return {
    status: response.status,
    headers,
    text: text
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
      .replaceAll(/"(tracking_number|barcode)":"[^"]+"/g, '"$1":"<number>"')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)/g, '<time>')
      // What is left of a limit falls with each call and rises with the time.
      .replaceAll(/"(remaining|reset_seconds|tenant_bytes_remaining)":\d+/g, '"$1":0')
      .replaceAll(/"(request_id|instance)":"[^"]+"/g, '"$1":"<id>"'),
  };
}

const isTheirs = (id: string, headers: Readonly<Record<string, string>>): boolean =>
  headers['client'] === id;

describe('what is another client\'s', () => {
  it('is tried at every operation that there is', () => {
    const served = everyOperation().map(({ id }) => id).filter((id) => realOf(id) === id);
    const tried = [...Object.keys(CASES), ...WITHOUT_CLIENTS, ...OF_THE_PLATFORM]
      .filter((id) => realOf(id) === id);
    expect(tried.toSorted()).toEqual(served.toSorted());
    const catalog = Object.keys(OPERATIONS)
      .filter((id) => !SERVED_ELSEWHERE.includes(id) && realOf(id) === id);
    expect(tried.toSorted()).toEqual(catalog.toSorted());
  });

  it.each(Object.entries(CASES))(
    '[GEN-28] is as good as missing for %s, and stays as it was',
    async (_id, { probe, status, owner, differs }) => {
      const theirs = await at.furnish();
      const nobodys = at.missing();
      const before = await at.states.dump();
      const appended = at.log.appended.length;

      const foreign = await at.call(at.a, probe(at.a, theirs));
      const missing = await at.call(at.a, probe(at.a, nobodys));
      expect(foreign.status).toBe(status);
      if (differs === undefined) {
        expect(await comparable(foreign, theirs)).toEqual(await comparable(missing, nobodys));
      } else expect(missing.status, differs.because).toBe(differs.missing);

      // Nothing that was there is another, and nothing was written in B's name or about B's things.
      expect(await at.states.dump()).toMatchObject(before);
      const written = at.log.appended.slice(appended);
      expect(written.filter(({ headers }) => isTheirs(at.b.id, headers))).toEqual([]);

      const own = await at.call(at.b, probe(at.b, theirs));
      expect(own.status).toBe(owner);
    },
  );

  it.each(Object.entries(CASES).filter(([id]) => WRITING.includes(id)))(
    '[GEN-28] is as good as missing for a dry run of %s, which stores nothing', async (_id, { probe, differs }) => {
      const theirs = await at.furnish();
      const absent = at.missing();
      const before = await at.states.dump();
      const appended = at.log.appended.length;
      const dry = (as: Tenant, things: Things): Probe => dryProbe(probe(as, things));

      const foreign = await at.call(at.a, dry(at.a, theirs));
      const missing = await at.call(at.a, dry(at.a, absent));
      if (differs === undefined) {
        expect(await comparable(foreign, theirs)).toEqual(await comparable(missing, absent));
      } else expect(missing.status, differs.because).toBe(differs.missing);
      const own = await at.call(at.b, dry(at.b, theirs));
      expect([own.status, await own.json()]).toMatchObject([200, { stored: false }]);

      expect(await at.states.dump()).toEqual(before);
      expect(at.log.appended).toHaveLength(appended);
    },
  );

  it('is not reached by naming the provider that it belongs to', async () => {
    const theirs = await at.furnish();
    for (const { probe } of Object.values(CASES)) {
      const call = probe(at.b, theirs);
      if (!call.path.includes(`/${at.b.provider}/`)) continue;
      const { path, ...rest } = call;
      const unknown = { ...rest, path: path.replace(`/${at.b.provider}/`, '/none/') };
      const [foreign, missing] = [await at.call(at.a, call), await at.call(at.a, unknown)];
      expect(foreign.status).toBe(403);
      expect(await comparable(foreign, theirs)).toEqual(await comparable(missing, theirs));
    }
  });

  it('is shown neither by one\'s own authorization of the same name, nor by one\'s own device',
    async () => {
      const theirs = await at.furnish();
      for (const [id, field] of [
        ['authorize-shipment', 'tracking_number'], ['register-device', 'id'],
      ] as const) {
        const { probe } = CASES[id]!;
        const [own, others] = await Promise.all([at.a, at.b].map(async (tenant) =>
          await (await at.call(tenant, probe(tenant, theirs))).json() as Record<string, unknown>));
        expect(own?.[field]).toMatch(/\S/);
        expect(own?.[field]).not.toBe(others?.[field]);
      }
    });

  it('is not shown by the list of one\'s own addresses, and a token of the platform opens none', async () => {
    const theirs = await at.furnish();
    const { probe } = CASES['list-examinations']!;
    const partiesOf = async (tenant: Tenant): Promise<string> => (
      (await at.call(tenant, probe(tenant, theirs))).text());
    expect(await partiesOf(at.a)).toBe('{"parties":[]}');
    expect(await partiesOf(at.b)).toContain(theirs.party);
    const { platform } = (await at.joinSandbox()).tokens;
    for (const id of ['list-examinations', 'examine-party', 'examine-tracking-party']) {
      const { audience: _, ...call } = CASES[id]!.probe(at.b, theirs);
      const headers = { authorization: `Bearer ${platform ?? ''}` };
      const refused = await at.call(undefined, { ...call, headers });
      expect([refused.status, await refused.json()], id).toMatchObject([403, { code: 'wrong_audience' }]);
    }
  });

  it('is not found by its name, type or cursor, but by its owner alone', async () => {
    const theirs = await at.furnish();
    const { probe } = CASES['list-entity-devices']!;
    const list = async (as: Tenant, more = ''): Promise<string> => {
      const call = probe(as, theirs);
      return (await at.call(as, { ...call, path: call.path + more })).text();
    };
    const none = '{"devices":[],"has_more":false}';
    for (const more of ['', '&external_entity_type=truck', '&external_entity_type=none']) {
      expect(await list(at.a, more)).toBe(none);
    }
    const own = JSON.parse(await list(at.b)) as { devices: { id: string }[] };
    expect(own.devices.map(({ id }) => id)).toEqual([theirs.device]);
    // A client with a device of the same name finds that one alone.
    const mine = await at.call(at.a, registration(theirs.entity, theirs.transport));
    const { id } = await mine.json() as { id: string };
    const found = JSON.parse(await list(at.a)) as { devices: { id: string; client_id: number }[] };
    expect(found.devices).toMatchObject([{ id, client_id: Number(at.a.id) }]);
    const parts = [at.b.id, 2, theirs.device].join('\n');
    const cursor = `&cursor=${Buffer.from(parts).toString('base64url')}`;
    expect(JSON.parse(await list(at.a, cursor))).toMatchObject({ code: 'invalid_parameter' });
  });

  it('is not shown by the map of one\'s own fleet', async () => {
    const theirs = await at.furnish();
    const { probe } = CASES['list-fleet-fixes']!;
    const listOf = async (tenant: typeof at.a): Promise<unknown[]> =>
      (await (await at.call(tenant, probe(tenant, theirs))).json() as { positions: unknown[] })
        .positions;
    expect(await listOf(at.a)).toEqual([]);
    expect(await listOf(at.b)).toMatchObject([{ device_id: theirs.device }]);
  });

  it('is not shown by the past of one\'s own fleet', async () => {
    const theirs = await at.furnish();
    const { probe } = CASES['list-past-fleet']!;
    const pageOf = async (tenant: typeof at.a): Promise<{ device_id: string }[]> =>
      (await (await at.call(tenant, probe(tenant, theirs))).json() as {
        positions: { device_id: string }[];
      }).positions;
    expect(await pageOf(at.a)).toEqual([]);
    expect((await pageOf(at.b)).map(({ device_id }) => device_id)).toContain(theirs.device);
  });

  it.each([
    ['rtt', '/shipping/rtt', '?country_id=BR'], ['logistic-feed', '/shipping/tracking', ''],
  ] as const)('is not among the calls of another client, asked with a token for %s', async (audience, base, query) => {
    const theirs = await at.furnish();
    const code = `code_${theirs.device}`;
    await at.states.taken.keep(at.b.id, [
      { operation: 'show-journey', first_at_ms: 1, last_at_ms: 2 },
    ]);
    await at.states.refusals.keep(at.b.id, [{
      operation: 'send-locations', status: 400, code, pointers: [], count: 1,
      first_at_ms: Date.now(), last_at_ms: Date.now(),
    }]);
    const ask = async (as: Tenant, what: string): Promise<string> => {
      const answer = await at.call(as, { method: 'GET', path: `${base}/${what}${query}`, audience });
      expect(answer.status).toBe(200);
      return answer.text();
    };
    const [own, others] = [await ask(at.b, 'calls'), await ask(at.a, 'calls')];
    for (const named of [code, 'first_at']) {
      expect(own).toContain(named);
      expect(others).not.toContain(named);
    }
    expect(await ask(at.b, 'ingest')).toContain(theirs.ingest);
    expect(await ask(at.a, 'ingest')).toBe('{"calls":[]}');
  });

  it('is not scored to who may not speak for its provider', async () => {
    const theirs = await at.furnish();
    const { probe } = CASES['show-scores']!;
    const scoresOf = async (tenant: Tenant): Promise<unknown> => {
      const answer = await at.call(tenant, probe(tenant, theirs));
      return (await answer.json() as { providers: unknown }).providers;
    };
    expect(await scoresOf(at.a)).toEqual([]);
    expect(await scoresOf(at.b)).toMatchObject([{ provider: 'best', devices: 9_431 }]);
  });

  it('is no token that another one may revoke: it opens as before', async () => {
    const theirs = await at.furnish();
    await at.call(at.a, CASES['revoke-token']!.probe(at.a, theirs));
    const bearer = { ...at.b, tokens: { ...at.b.tokens, rtt: theirs.token } };
    const opened = await at.call(bearer, CASES['show-device']!.probe(bearer, theirs));
    expect(opened.status).toBe(200);
    expect((await at.call(undefined, tokenCall(at.b.id, at.b.secret, 'rtt'))).status).toBe(200);
  });

  it.each(OF_THE_PLATFORM)('[PLT-01] is closed at %s to everyone but the platform', async (id) => {
    const theirs = await at.furnish();
    const { method, path } = OPERATIONS[id as keyof typeof OPERATIONS];
    const filled = path.replaceAll(/\{\w+\}/g, theirs.device);
    for (const as of [at.a, at.b]) {
      const probe = { method, path: filled, audience: 'rtt', ...(method === 'POST' ? { body: {} } : {}) };
      expect((await at.call(as, probe as Probe)).status).toBe(403);
    }
  });

  it.each(WITHOUT_CLIENTS)('is nothing that %s knows of: all callers get the same', async (id) => {
    const { path } = OPERATIONS[id as keyof typeof OPERATIONS];
    const filled = path.replaceAll('{code}', 'invalid_token');
    const call = { method: 'GET', path: filled, audience: 'rtt' } as const;
    const texts = await Promise.all([at.a, at.b, undefined].map(async (as) =>
      (await at.call(as, call)).text()));
    expect(new Set(texts).size).toBe(1);
  });
});
