import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aParty } from '../../../support/command-facts.ts';
import {
  authorization, registration, type Probe, type Tenant,
} from '../../../support/isolation/calls.ts';
import { CASES } from '../../../support/isolation/cases.ts';
import { openTenants, type Tenants } from './isolation-env.ts';

const DAY_MS = 86_400_000;
/** Clients and tokens are as real for a sandbox as for anyone. */
const OF_ACCESS = ['oauth.clients.v1', 'oauth.tokens.v1'];

let at: Tenants;
let sandbox: Tenant;
beforeAll(async () => { at = await openTenants(); });
beforeEach(async () => { sandbox = await at.joinSandbox(); });
afterAll(() => at.close());

const get = (path: string, audience: Probe['audience'] = 'rtt'): Probe => (
  { method: 'GET', path, ...(audience === undefined ? {} : { audience }) }
);
const post = (path: string, body?: object, audience: Probe['audience'] = 'rtt'): Probe => ({
  method: 'POST', path, ...(body === undefined ? {} : { body }),
  ...(audience === undefined ? {} : { audience }),
});

/** Calls as the sandbox client, and checks that the answer says so. */
async function call(
  probe: Probe, as: Tenant = sandbox,
): Promise<{ status: number; body: unknown }> {
  const response = await at.call(as, probe);
  expect(response.headers.get('sandbox'), probe.path).toBe('true');
  return { status: response.status, body: await response.json() };
}

/** Everything that others may see: the state outside of sandboxes, and the log but for access. */
async function seenByOthers(): Promise<object> {
  const isSeen = (name: string): boolean => (
    !/:(sandbox|quota|taken|refusals|refusal-clients|lease)(:|$)/.test(name)
  );
  return {
    names: (await at.states.raw.keys('*')).filter(isSeen).toSorted(),
    dump: Object.entries(await at.states.dump()).filter(([name]) => isSeen(name)),
    log: at.log.appended.filter(({ topic }) => !OF_ACCESS.includes(topic)).length,
  };
}

const locations = (device_id: string) => {
  const timestamp = Math.floor(Date.now() / 1_000);
  return post('/shipping/rtt/georeceiver/best/locations?country_id=BR', {
    device_id, post_timestamp: timestamp,
    locations: [{ timestamp, country_id: 'BR', latitude: -23.5, longitude: -46.6 }],
  });
};
const register = async (as: Tenant = sandbox, entity = 'van-1'): Promise<string> => {
  const { status, body } = await call(registration(entity, 77), as);
  expect(status).toBe(201);
  return (body as { id: string }).id;
};
const move = (verb: 'start' | 'stop', id: string): Probe => (
  post(`/shipping/rtt/devices/${id}/${verb}_tracking?country_id=BR`)
);

describe('the story of a provider in a sandbox', () => {
  it('goes as the real one, call by call, and leaves nothing that others see', async () => {
    const before = await seenByOthers();
    const id = await register();
    expect((await call(registration('van-1', 77))).body).toMatchObject({ id });
    expect(await call(locations(id))).toMatchObject({
      status: 403, body: { code: 'tracking_not_started' },
    });
    expect((await call(move('start', id))).status).toBe(200);
    expect((await call(move('start', id))).status).toBe(208);
    expect(await call(get(`/shipping/rtt/devices/${id}/last_position?country_id=BR`)))
      .toMatchObject({ status: 404, body: { code: 'position_not_found' } });

    const posted = await at.call(sandbox, locations(id));
    expect(posted.status).toBe(202);
    const ingestId = posted.headers.get('ingest-id') ?? '';
    expect(await call(get(`/shipping/rtt/ingest/${ingestId}?country_id=BR`))).toMatchObject({
      status: 200, body: { items: 1, waiting: 0, outcomes: { stored: 1 } },
    });
    expect((await call(get('/shipping/rtt/ingest?country_id=BR'))).body)
      .toMatchObject({ calls: [{ ingest_id: ingestId, kind: 'locations', provider: 'best' }] });
    expect(await call(get(`/shipping/rtt/devices/${id}/last_position?country_id=BR`)))
      .toMatchObject({ status: 200, body: { latitude: -23.5, longitude: -46.6 } });
    const box = 'bbox=-47,-24,-46,-23';
    expect((await call(get(`/shipping/rtt/fleet/last_positions?country_id=BR&${box}`))).body)
      .toMatchObject({ positions: [{ device_id: id }] });

    expect((await call(move('stop', id))).status).toBe(200);
    expect(await call(locations(id))).toMatchObject({
      status: 403, body: { code: 'tracking_stopped' },
    });
    expect((await call(get(`/shipping/rtt/fleet/last_positions?country_id=BR&${box}`))).body)
      .toMatchObject({ positions: [] });
    expect(await seenByOthers()).toEqual(before);
  });

  it('has authorizations that stay, and end', async () => {
    const before = await seenByOthers();
    const first = await call(authorization('order-1'));
    expect(first.status).toBe(200);
    expect((await call(authorization('order-1'))).body).toEqual(first.body);
    const { tracking_number: number } = first.body as { tracking_number: string };
    expect(await call(
      get(`/shipping/tracking/shipments/${number}/authorization`, 'tracking-pull'),
    )).toMatchObject({
      status: 200, body: { authorizations: [{ transport_order_id: 'order-1' }] },
    });
    expect(await seenByOthers()).toEqual(before);
  });
});

describe('a sandbox', () => {
  it('is of its client alone: the same entity is another device to each', async () => {
    const other = await at.joinSandbox();
    const real = await at.call(at.b, registration('van-1', 77));
    const { id: realId } = await real.json() as { id: string };
    const mine = await register();
    const theirs = await register(other);
    expect(new Set([mine, theirs, realId]).size).toBe(3);
    for (const [as, id] of [[sandbox, theirs], [other, mine], [sandbox, realId]] as const) {
      expect((await call(get(`/shipping/rtt/devices/${id}?country_id=BR`), as)).status).toBe(404);
    }
    const seen = await at.call(at.b, get(`/shipping/rtt/devices/${mine}?country_id=BR`));
    expect([seen.status, seen.headers.get('sandbox')]).toEqual([404, null]);
    const named = get('/shipping/rtt/devices?country_id=BR&external_entity_id=van-1');
    for (const [as, id] of [[sandbox, mine], [other, theirs]] as const) {
      expect((await call(named, as)).body).toMatchObject({ devices: [{ id }], has_more: false });
    }
    expect(await (await at.call(at.b, named)).json()).toMatchObject({ devices: [{ id: realId }] });
  });

  it('of a client takes no state of a real device, even under its very id', async () => {
    const { device } = await at.furnish();
    const before = await seenByOthers();
    const fields = await at.states.raw.keys(`*:device:${device}`);
    expect(await call(locations(device))).toMatchObject({
      status: 403, body: { code: 'device_not_allowed' },
    });
    expect((await call(move('stop', device))).status).toBe(404);
    expect([await seenByOthers(), await at.states.raw.keys(`*:device:${device}`)])
      .toEqual([before, fields]);
  });

  it('goes a day after its first write, every entry of it', async () => {
    const id = await register();
    await call(move('start', id));
    await call(locations(id));
    const names = await at.states.raw.keys(`*:sandbox:${sandbox.id}*`);
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) {
      const leftMs = await at.states.raw.pttl(name);
      expect([leftMs > 0, leftMs <= DAY_MS], name).toEqual([true, true]);
    }
    const [life] = names.filter((name) => name.endsWith(`:sandbox:${sandbox.id}`));
    expect(Number(await at.states.raw.hget(life ?? '', 'entries'))).toBeLessThanOrEqual(names.length + 4);
  });
});

describe('a sandbox client', () => {
  it.each(Object.entries(CASES).filter(([id]) => id !== 'issue-token'))(
    'finds nothing of a real one by %s, and changes nothing of it', async (_id, { probe }) => {
      const theirs = await at.furnish();
      const missing = { ...at.missing(), provider: theirs.provider };
      const before = await seenByOthers();
      const foreign = await at.call(sandbox, probe(sandbox, theirs));
      const absent = await at.call(sandbox, probe(sandbox, missing));
      expect(foreign.status).toBe(absent.status);
      expect(foreign.headers.get('sandbox')).toBe('true');
      await Promise.all([foreign.body?.cancel(), absent.body?.cancel()]);
      expect(await seenByOthers()).toEqual(before);
    },
  );

  it('has no address that is examined, though a party were recorded as it', async () => {
    const { provider: _, ...party } = aParty({ kind: 'carrier', client_id: sandbox.id });
    await at.states.parties.apply(party);
    const before = await seenByOthers();
    for (const base of ['/shipping/rtt', '/shipping/tracking']) {
      const audience = base.endsWith('rtt') ? 'rtt' : 'logistic-feed';
      const country = base.endsWith('rtt') ? '?country_id=BR' : '';
      expect((await call(get(`${base}/examinations${country}`, audience))).body).toEqual({ parties: [] });
      const asked = post(`${base}/examinations/${party.party_id}${country}`, undefined, audience);
      expect(await call(asked)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    }
    expect(await seenByOthers()).toEqual(before);
  });

  it('with a token of the platform sees no real device, shipment or call', async () => {
    const { device, entity, transport, shipment, ingest } = await at.furnish();
    const paths = [
      [`/platform/devices/${device}`, 404], [`/platform/shipments/${shipment}`, 404],
      [`/platform/ingest/${ingest}`, 404], [`/platform/transports/${transport}/last_position`, 404],
      ['/operator/dead_letters', 403], ['/operator/pipeline', 403],
      ['/operator/audits', 403], ['/operator/overflow', 403],
    ] as const;
    for (const [path, status] of paths) {
      expect((await call(get(path, 'platform'))).status, path).toBe(status);
    }
    expect((await call(get('/platform/fleet/last_positions?bbox=-180,-90,180,90', 'platform'))).body)
      .toMatchObject({ positions: [] });
    expect((await call(get(`/platform/transports/${transport}/devices`, 'platform'))).body)
      .toMatchObject({ devices: [] });
    expect((await call(get(`/platform/devices?external_entity_id=${entity}`, 'platform'))).body)
      .toEqual({ devices: [], has_more: false });
  });
});
