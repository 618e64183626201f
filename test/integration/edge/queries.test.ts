import { knownCountries } from '../../../services/adapters/config/countries.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listFleetFixes } from '../../../services/gateways/query/operations/list-fleet-fixes.ts';
import { showDeviceFix } from '../../../services/gateways/query/operations/show-device-fix.ts';
import { showDevice } from '../../../services/gateways/query/operations/show-device.ts';
import { showTraceableFix } from '../../../services/gateways/query/operations/show-traceable-fix.ts';
import type { FixOffer } from '../../../services/kernel/fixes.ts';
import { EDGE_TOKEN, GOOD_FACTS, openEdge, problemOf, type Edge } from '../../support/edge.ts';
import { fakePersonal } from '../../support/fake-personal.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import {
  aClient, anOffer, aRegistration, aTraceableOffer, newClientId, placed, startOf, stopOf,
} from '../../support/state-facts.ts';

const FIX_SECONDS = 1_764_000_000;

interface Fleet {
  readonly positions: readonly { readonly device_id: string }[];
  readonly next_cursor?: string;
  readonly has_more: boolean;
}

let nowMs: number;
let edge: Edge;
let states: OpenedRedis;
let clientId: string;

beforeAll(async () => {
  states = await openRedisStates();
  const ports = {
    ...states, clock: { nowMs: () => nowMs }, countries: knownCountries(['UK=GB']),
  };
  edge = await openEdge({
    operations: [
      showDevice(states.devices, fakePersonal()), showDeviceFix(ports),
      showTraceableFix(ports), listFleetFixes(ports),
    ],
  });
});
afterAll(async () => {
  await edge.close();
  await states.close();
});
beforeEach(() => {
  nowMs = (FIX_SECONDS + 90) * 1_000 + 999;
  clientId = newClientId();
  as(clientId);
});

function as(id: string, change: object = {}): void {
  edge.admit({
    ...GOOD_FACTS, device: undefined,
    caller: { ...GOOD_FACTS.caller!, clientId: id, scopes: ['query:read'], ...change },
  });
}

const ask = (path: string, query: Readonly<Record<string, string>> = {}): Promise<Response> => {
  const all = new URLSearchParams({ country_id: 'BR', ...query });
  return fetch(`${edge.url}/shipping/rtt/${path}?${all.toString()}`, {
    headers: { authorization: `Bearer ${EDGE_TOKEN}`, 'x-request-id': 'same' },
  });
};

const offered = async (change: Partial<FixOffer> = {}): Promise<string> => {
  const device_id = change.device_id ?? randomUUID();
  await states.lastFixes.offer([anOffer({ client_id: clientId, ...change, device_id })]);
  return device_id;
};

async function fleet(query: Readonly<Record<string, string>>): Promise<Fleet> {
  const response = await ask('fleet/last_positions', query);
  expect(response.status).toBe(200);
  return await response.json() as Fleet;
}

const idsIn = async (bbox: string): Promise<readonly string[]> =>
  (await fleet({ bbox })).positions.map(({ device_id }) => device_id).sort();

describe('asking for a device over HTTP', () => {
  it('gives the device as its registration answered it, with the status of today', async () => {
    const device = aRegistration(aClient({ client_id: clientId }));
    await states.devices.apply(placed([device, startOf(device)]));
    const response = await ask(`devices/${device.device_id}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      id: device.device_id, client_id: Number(clientId), status: 'active',
      transport: { id: device.transport_id },
      external_entity: { entity_id: device.entity_id, entity_type: 'acme_truck' },
    });
    await states.devices.apply(placed([stopOf(device)], 9));
    expect(await (await ask(`devices/${device.device_id}`)).json())
      .toMatchObject({ status: 'inactive' });
  });

  it('gives its last position with its age, without what the device did not report', async () => {
    const device = aRegistration(aClient({ client_id: clientId }));
    await states.devices.apply(placed([device, startOf(device)]));
    const path = `devices/${device.device_id}/last_position`;
    expect(await problemOf(await ask(path))).toMatchObject({
      status: 404, code: 'position_not_found',
    });
    await offered({ device_id: device.device_id, speed: 61.5, ignition: false });
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      device_id: device.device_id, timestamp: FIX_SECONDS, country_id: 'BR',
      country_code: 'BR', latitude: -23.5505199, longitude: -46.6333094, speed: 61.5, ignition: false,
      provider: 'acme', received_at: '2025-11-24T16:00:01.000Z', age_seconds: 90,
    });
    nowMs = (FIX_SECONDS - 60) * 1_000;
    expect(await (await ask(path)).json()).toMatchObject({ age_seconds: 0 });
  });

  it.each([['bra', 'BR'], ['UK', 'GB'], ['xq', 'XQ']])(
    '[RTT-21] gives the country %s as sent, and as %s', async (sent, code) => {
      const device = aRegistration(aClient({ client_id: clientId }));
      await states.devices.apply(placed([device, startOf(device)]));
      await offered({ device_id: device.device_id, country_id: sent });
      const position = await (await ask(`devices/${device.device_id}/last_position`)).json();
      expect(position).toMatchObject({ country_id: sent, country_code: code });
    },
  );

  it('of another client looks like a missing one', async () => {
    const device = aRegistration(aClient({ client_id: clientId }));
    await states.devices.apply(placed([device]));
    await offered({ device_id: device.device_id });
    as(newClientId());
    const answers = await Promise.all([device.device_id, randomUUID()].flatMap((id) => (
      ['', '/last_position'].map(async (tail) => {
        const response = await ask(`devices/${id}${tail}`);
        return `${response.status} ${await response.text()}`;
      })
    )));
    expect(answers[0]).toMatch(/^404 /);
    expect(new Set(answers).size).toBe(1);
  });

  it.each(['devices/x', 'devices/x/last_position', 'traceables/a/b/last_position'])(
    '[GEN-28] %s is open to the scope query:read alone, and needs a country', async (path) => {
      expect((await ask(path, { country_id: 'XX' })).status).toBe(400);
      as(clientId, { scopes: ['rtt:devices', 'rtt:locations'] });
      const response = await ask(path);
      expect([response.status, (await problemOf(response)).code])
        .toEqual([403, 'insufficient_scope']);
    },
  );
});

describe('asking for a traceable over HTTP', () => {
  it('gives where it was last and who carried it, also under a name that needs escaping', async () => {
    const traceable_id = 'a/b c%|é';
    await states.traceables.offer([
      aTraceableOffer({ client_id: clientId, traceable_id, bearing: 12.5 }),
    ]);
    const path = `traceables/shipment/${encodeURIComponent(traceable_id)}/last_position`;
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      traceable: { type: 'shipment', id: traceable_id }, bearing: 12.5, age_seconds: 90,
      device: { external_id: 'driver-7', external_type: 'acme_driver' },
    });
    as(newClientId());
    expect(await problemOf(await ask(path))).toMatchObject({
      status: 404, code: 'position_not_found',
    });
  });
});

describe('asking for a fleet over HTTP', () => {
  it('finds the devices in a box, its edges included, and only the caller\'s', async () => {
    const inside = await offered({ longitude: 10.5, latitude: 50.5 });
    const corner = await offered({ longitude: 11, latitude: 51 });
    await offered({ longitude: 11.001, latitude: 51 });
    await offered({ client_id: newClientId(), longitude: 10.5, latitude: 50.5 });
    expect(await idsIn('10,50,11,51')).toEqual([inside, corner].sort());
  });

  it('finds the devices of a box that spans the 180th meridian', async () => {
    const fiji = await offered({ longitude: 179.9, latitude: -17 });
    const tonga = await offered({ longitude: -175.2, latitude: -21.1 });
    await offered({ longitude: 0, latitude: -19 });
    expect(await idsIn('170,-30,-170,-10')).toEqual([fiji, tonga].sort());
    expect(await idsIn('-170,-30,170,-10')).toHaveLength(1);
  });

  it('gives every device once, by pages', async () => {
    const all = new Set<string>();
    for (let at = 0; at < 7; at++) {
      all.add(await offered({ latitude: 50 + at / 100, longitude: 10 }));
    }
    const seen: string[] = [];
    let page = await fleet({ bbox: '9,49,11,52', limit: '3' });
    for (;;) {
      expect(page.positions.length).toBeLessThanOrEqual(3);
      seen.push(...page.positions.map(({ device_id }) => device_id));
      expect(page.has_more).toBe(page.next_cursor !== undefined);
      if (page.next_cursor === undefined) break;
      page = await fleet({ bbox: '9,49,11,52', limit: '3', cursor: page.next_cursor });
    }
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(all);
  });

  it('leaves out a device that was stopped', async () => {
    const device = aRegistration(aClient({ client_id: clientId }));
    await states.devices.apply(placed([device, startOf(device)]));
    await offered({ device_id: device.device_id, longitude: 10, latitude: 50 });
    expect(await idsIn('9,49,11,52')).toEqual([device.device_id]);
    await states.devices.apply(placed([stopOf(device)], 9));
    expect(await idsIn('9,49,11,52')).toEqual([]);
  });

  it.each([
    [{}, 'bbox', 'missing_parameter'],
    [{ bbox: '' }, 'bbox', 'invalid_parameter'],
    [{ bbox: '1,2,3' }, 'bbox', 'invalid_parameter'],
    [{ bbox: '1,2,3,91' }, 'bbox', 'invalid_parameter'],
    [{ bbox: '-181,2,3,4' }, 'bbox', 'invalid_parameter'],
    [{ bbox: '1,4,3,2' }, 'bbox', 'invalid_parameter'],
    [{ bbox: '1,2,3,1e1' }, 'bbox', 'invalid_parameter'],
    [{ bbox: '1,2,3,4', limit: '0' }, 'limit', 'invalid_parameter'],
    [{ bbox: '1,2,3,4', limit: '501' }, 'limit', 'invalid_parameter'],
    [{ bbox: '1,2,3,4', cursor: '' }, 'cursor', 'invalid_parameter'],
    [{ bbox: '1,2,3,4', cursor: 'not a cursor' }, 'cursor', 'invalid_parameter'],
  ] as const)('answers 400 to %j and names %s', async (query, name, code) => {
    const response = await ask('fleet/last_positions', query);
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({
      code, errors: [{ pointer: `/query/${name}` }],
    });
  });
});
