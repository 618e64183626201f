import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlatformDevices } from '../../../schemas/generated/types.ts';
import { deviceSubject } from '../../../services/kernel/personal.ts';
import { admitClient, projectDevices, registerNamed, stopNamed } from '../../support/entity-edge.ts';
import { aClient, aRegistration, newClientId, placed } from '../../support/state-facts.ts';
import { CALLER, openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

type Params = Readonly<Record<string, string | number | null>>;

const OPERATION = 'list-platform-entity-devices';
const PLATE = 'plate-AB123CD';

let at: WholeEdge;
beforeEach(async () => { at = await openWholeEdge(); });
afterEach(() => at.close());

async function ask(params: Params = {}): Promise<Response> {
  admitClient(at, OPERATION);
  return at.call(OPERATION, {
    params: { external_entity_id: PLATE, external_entity_type: null, limit: null, ...params },
  });
}

async function list(params: Params = {}): Promise<PlatformDevices> {
  const response = await ask(params);
  expect(response.status, await response.clone().text()).toBe(200);
  return await response.json() as PlatformDevices;
}

/** The ids of every page, and how many pages there were. */
async function allPages(params: Params): Promise<{ ids: readonly string[]; pages: number }> {
  const ids: string[] = [];
  let pages = 0;
  for (let cursor: string | null = null; ;) {
    const page: PlatformDevices = await list({ ...params, cursor });
    expect(page.has_more).toBe(page.next_cursor !== undefined);
    ids.push(...page.devices.map(({ id }) => id));
    pages += 1;
    if (page.next_cursor === undefined) return { ids, pages };
    cursor = page.next_cursor;
  }
}

describe('devices that the platform finds by a name', () => {
  it('[PLT-13] are those of all clients and types, without the name', async () => {
    const other = newClientId();
    const ids = [
      await registerNamed(at, { entityId: PLATE }),
      await registerNamed(at, { entityId: PLATE, entityType: 'van' }),
      await registerNamed(at, { entityId: PLATE, clientId: other }),
    ];
    await registerNamed(at, { entityId: 'another' });
    expect(await list()).toEqual({ devices: [], has_more: false });
    await projectDevices(at);
    const { devices, ...rest } = await list();
    expect(rest).toEqual({ has_more: false });
    expect(devices.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(new Set(devices.map(({ client_id }) => client_id))).toEqual(new Set([CALLER, other]));
    expect(JSON.stringify(devices)).not.toContain(PLATE);
    const vans = await list({ external_entity_type: 'van' });
    expect(vans.devices.map(({ id }) => id)).toEqual([ids[1]]);
  });

  it('[PLT-13] come by pages, each with every registration once', async () => {
    const ids: string[] = [];
    for (const clientId of [newClientId(), newClientId(), newClientId()]) {
      for (let i = 0; i < 3; i += 1) {
        const id = await registerNamed(at, { entityId: PLATE, clientId });
        ids.push(id);
        if (i < 2) await stopNamed(at, id, clientId);
      }
    }
    await projectDevices(at);
    for (const limit of [1, 2, 4, 9]) {
      const found = await allPages({ limit });
      expect(found.ids.toSorted()).toEqual(ids.toSorted());
    }
    expect((await allPages({ limit: 4 })).pages).toBe(3);
  });

  it('[PLT-13] are looked for in 256 clients a page, which may be empty', async () => {
    const others = Array.from({ length: 600 }, () => aRegistration(aClient()));
    await at.states.devices.apply(placed(others));
    const id = await registerNamed(at, { entityId: PLATE, clientId: newClientId() });
    await projectDevices(at);
    expect(await allPages({})).toEqual({ ids: [id], pages: 3 });
    expect(await allPages({ external_entity_type: 'acme_truck' })).toEqual({ ids: [id], pages: 3 });
    expect(await allPages({ external_entity_id: 'none' })).toEqual({ ids: [], pages: 3 });
  });

  it('[PLT-13] are none after an erasure, until the entity is registered again', async () => {
    const erased = await registerNamed(at, { entityId: PLATE });
    await at.states.personalKeys.apply([
      { type: 'PersonalErased', subject: deviceSubject(erased), at_ms: 1 },
    ]);
    await projectDevices(at);
    expect(await list()).toEqual({ devices: [], has_more: false });
    await stopNamed(at, erased);
    const next = await registerNamed(at, { entityId: PLATE });
    await projectDevices(at);
    expect((await list()).devices.map(({ id }) => id)).toEqual([next]);
  });

  it.each([
    ['no name', { external_entity_id: null }, 'missing_parameter', '/query/external_entity_id'],
    ['too long a type', { external_entity_type: 't'.repeat(256) }, 'invalid_parameter', '/query/external_entity_type'],
    ['too large a page', { limit: 501 }, 'invalid_parameter', '/query/limit'],
    ['a cursor that is none', { cursor: 'bm9uZQ' }, 'invalid_parameter', '/query/cursor'],
    ['a cursor of nothing', { cursor: 'MQoyCm5vbmU' }, 'invalid_parameter', '/query/cursor'],
  ])('are refused for %s', async (_what, params, code, pointer) => {
    const response = await ask(params);
    expect([response.status, await response.json()])
      .toMatchObject([400, { code, errors: [{ pointer }] }]);
  });
});
