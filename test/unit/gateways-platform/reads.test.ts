import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  PlatformDevice, PlatformDevices, PlatformFleetPositions, PlatformPosition,
} from '../../../schemas/generated/types.ts';
import type { DeviceRegistered } from '../../../services/kernel/devices.ts';
import { anOutcome } from '../../support/fake-item-outcomes.ts';
import {
  aClient, anOffer, aRegistration, newClientId, placed, startOf, stopOf,
} from '../../support/state-facts.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

const AT_SECONDS = 1_764_000_000;
const TRANSPORT = 987_654;
const EVERYWHERE = { bbox: '-180,-90,180,90' };

let at: WholeEdge;
beforeEach(async () => { at = await openWholeEdge(); });
afterEach(() => at.close());

type Params = Readonly<Record<string, string | number | null>>;

async function ask<Body>(id: string, params: Params): Promise<Body> {
  at.admit(id);
  const response = await at.call(id, { params });
  expect(response.status, await response.clone().text()).toBe(200);
  return await response.json() as Body;
}

async function refused(id: string, params: Params): Promise<unknown> {
  at.admit(id);
  const response = await at.call(id, { params });
  return [response.status, (await response.json() as { code: string }).code];
}

/** A tracked device of a client of its own, with a fix. */
async function aDevice(
  change: Partial<DeviceRegistered> = {}, fix: Partial<Parameters<typeof anOffer>[0]> = {},
  client = aClient(),
): Promise<DeviceRegistered> {
  const device = aRegistration(client, { transport_id: TRANSPORT, ...change });
  await at.states.access.applyClient(client);
  await at.states.devices.apply(placed([device, startOf(device)]));
  const { client_id, device_id } = device;
  await at.states.lastFixes.offer([anOffer({ client_id, device_id, ...fix })]);
  return device;
}

/** Every page of a list of positions. */
async function allOfFleet(params: Params): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page: PlatformFleetPositions = await ask('list-platform-fleet', { ...params, cursor });
    found.push(...page.positions.map(({ device_id }) => device_id));
    expect(page.has_more).toBe(page.next_cursor !== undefined);
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
  return found.toSorted();
}

describe('what the platform reads of transports', () => {
  it('[PLT-02] lists the devices of a transport of all clients, by pages', async () => {
    const [old, young] = [await aDevice(), await aDevice({ at_ms: 1_764_000_000_001 })];
    await aDevice({ transport_id: 1 });
    const pages: PlatformDevices[] = [];
    let cursor: string | null = null;
    do {
      const page: PlatformDevices = await ask(
        'list-transport-devices', { transport_id: TRANSPORT, limit: 1, cursor },
      );
      pages.push(page);
      cursor = page.next_cursor ?? null;
    } while (cursor !== null);
    expect(pages.map(({ devices }) => devices.map(({ id }) => id)))
      .toEqual([[young.device_id], [old.device_id]]);
    expect(await ask('list-transport-devices', { transport_id: 5, limit: null }))
      .toEqual({ devices: [], has_more: false });
  });

  it('[PLT-02] shows the newest position of its devices, with who sent it', async () => {
    await aDevice({}, { timestamp: AT_SECONDS });
    const newest = await aDevice({ at_ms: 1 }, { timestamp: AT_SECONDS + 5, speed: 12 });
    await aDevice({ transport_id: 1 }, { timestamp: AT_SECONDS + 9 });
    const shown: PlatformPosition = await ask('show-transport-fix', { transport_id: TRANSPORT });
    expect(shown).toMatchObject({
      device_id: newest.device_id, client_id: newest.client_id, timestamp: AT_SECONDS + 5,
      speed: 12, provider: 'acme',
    });
    expect(await refused('show-transport-fix', { transport_id: 5 }))
      .toEqual([404, 'position_not_found']);
  });
});

describe('what the platform reads of the fleet', () => {
  it('[PLT-03] finds the devices of all clients in a box, and none that is stopped', async () => {
    const inside = await Promise.all(Array.from({ length: 7 }, () => aDevice()));
    await aDevice({}, { latitude: 50 });
    const stopped = await aDevice();
    await at.states.devices.apply(placed([stopOf(stopped)], 9));
    const ids = inside.map(({ device_id }) => device_id).toSorted();
    const box = { bbox: '-46.7,-23.6,-46.6,-23.5', provider: null };
    for (const limit of [1, 3, 500]) expect(await allOfFleet({ ...box, limit })).toEqual(ids);
  });

  it('[PLT-03] keeps its place within the fleet of one client', async () => {
    const client = aClient();
    const devices: DeviceRegistered[] = [];
    for (let i = 0; i < 5; i++) devices.push(await aDevice({}, { latitude: i }, client));
    devices.push(await aDevice());
    const ids = devices.map(({ device_id }) => device_id).toSorted();
    expect(await allOfFleet({ ...EVERYWHERE, provider: null, limit: 2 })).toEqual(ids);
  });

  it('[PLT-03] finds the devices of a provider, whose clients still have it', async () => {
    const one = await aDevice();
    await aDevice({}, { provider: 'best' });
    const other = aClient({ client_id: newClientId(), providers: ['best'] });
    await aDevice({}, { provider: 'acme' }, other);
    expect(await allOfFleet({ bbox: null, provider: 'acme', limit: 1 })).toEqual([one.device_id]);
    expect(await allOfFleet({ bbox: '0,0,1,1', provider: 'acme', limit: null })).toEqual([]);
  });

  it.each([
    ['neither box nor provider', { bbox: null, provider: null }, 'missing_parameter'],
    ['a box of three edges', { bbox: '1,2,3' }, 'invalid_parameter'],
    ['a provider without a name', { provider: '' }, 'invalid_parameter'],
    ['a page of none', { limit: 0 }, 'invalid_parameter'],
    ['too large a page', { limit: 501 }, 'invalid_parameter'],
    ['a cursor of its own making', { cursor: 'bm9uZQ' }, 'invalid_parameter'],
  ])('[PLT-03] refuses %s', async (_what, params, code) => {
    expect(await refused('list-platform-fleet', params)).toEqual([400, code]);
  });
});

describe('what the platform reads of a device', () => {
  it('[PLT-04] shows its lifecycle, and not how its owner calls it', async () => {
    const device = await aDevice({ entity_id: 'secret-plate' });
    await at.states.devices.apply(placed([stopOf(device)], 9));
    const shown: PlatformDevice = await ask('show-platform-device', { device_id: device.device_id });
    expect(shown).toMatchObject({
      id: device.device_id, client_id: device.client_id, status: 'inactive',
      transport: { id: TRANSPORT }, generation: 1,
      lifecycle: [
        { step: 'registered', at: new Date(device.at_ms).toISOString() },
        { step: 'started', at: new Date(device.at_ms + 10).toISOString() },
        { step: 'stopped', at: new Date(device.at_ms + 20).toISOString() },
      ],
    });
    expect(JSON.stringify(shown)).not.toContain('secret-plate');
    expect(await refused('show-platform-device', { device_id: 'none' }))
      .toEqual([404, 'device_not_found']);
  });
});

describe('what the platform reads of accepted calls', () => {
  it('[PLT-05] shows the receipt of any client', async () => {
    const id = '0198c0de-0000-7000-8000-00000000000a';
    at.itemOutcomes.add(newClientId(), id, anOutcome());
    expect(await ask('show-platform-ingest', { ingest_id: id }))
      .toMatchObject({ ingest_id: id, items: 12, settled: true });
  });
});
