import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EntityDevices } from '../../../schemas/generated/types.ts';
import { deviceSubject } from '../../../services/kernel/personal.ts';
import { admitClient, registerNamed, stopNamed } from '../../support/entity-edge.ts';
import { newClientId } from '../../support/state-facts.ts';
import { CALLER, openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

type Params = Readonly<Record<string, string | number | null>>;

const OPERATION = 'list-entity-devices';
const PLATE = 'Plate ÄB/12 3&CD';

let at: WholeEdge;
beforeEach(async () => { at = await openWholeEdge(); });
afterEach(() => at.close());

async function ask(params: Params = {}, clientId = CALLER): Promise<Response> {
  admitClient(at, OPERATION, clientId);
  return at.call(OPERATION, {
    params: { external_entity_id: PLATE, external_entity_type: null, limit: null, ...params },
  });
}

async function list(params: Params = {}, clientId = CALLER): Promise<EntityDevices> {
  const response = await ask(params, clientId);
  expect(response.status, await response.clone().text()).toBe(200);
  return await response.json() as EntityDevices;
}

const idsOf = ({ devices }: EntityDevices): readonly string[] => devices.map(({ id }) => id);

/** Registrations of one entity, each stopped before the next; the newest first. */
async function generations(count: number, entityType = 'acme_truck'): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const [before] = ids;
    if (before !== undefined) await stopNamed(at, before);
    ids.unshift(await registerNamed(at, { entityId: PLATE, entityType }));
  }
  return ids;
}

describe('devices by the name that their owner gave', () => {
  it('[DEV-36] are there with their name at once, before the log is read', async () => {
    const id = await registerNamed(at, { entityId: PLATE });
    const body = await list();
    expect(body).toMatchObject({
      devices: [{
        id, status: 'active', client_id: Number(CALLER),
        external_entity: { entity_id: PLATE, entity_type: 'acme_truck' },
        device_specs: { equipment_id: `equipment-of-${PLATE}` },
      }],
      has_more: false,
    });
    expect(Object.keys(body)).toEqual(['devices', 'has_more']);
  });

  it('[DEV-36] are those of every type of the client, or of the one that is named', async () => {
    const van = await registerNamed(at, { entityId: PLATE, entityType: 'van' });
    const truck = await registerNamed(at, { entityId: PLATE });
    await registerNamed(at, { entityId: 'another', entityType: 'van' });
    expect(idsOf(await list())).toEqual([truck, van]);
    expect(idsOf(await list({ external_entity_type: 'van' }))).toEqual([van]);
    expect(await list({ external_entity_type: 'bus' })).toEqual({ devices: [], has_more: false });
  });

  it('[DEV-36] are all registrations, the newest first, by pages', async () => {
    const ids = await generations(5);
    const [van] = await generations(1, 'van');
    const all = [...ids, van];
    expect(idsOf(await list())).toEqual(all);
    expect((await list()).devices.map(({ status }) => status).slice(0, 2))
      .toEqual(['active', 'inactive']);
    for (const limit of [1, 2, 5, 6]) {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const page: EntityDevices = await list({ limit, cursor });
        expect(page.devices.length).toBeLessThanOrEqual(limit);
        expect(page.has_more).toBe(page.next_cursor !== undefined);
        found.push(...idsOf(page));
        cursor = page.next_cursor ?? null;
      } while (cursor !== null);
      expect(found).toEqual(all);
    }
  });

  it('keep their place between pages when the entity gets another device', async () => {
    const [newest = '', ...older] = await generations(3);
    const { next_cursor } = await list({ limit: 1 });
    await stopNamed(at, newest);
    await registerNamed(at, { entityId: PLATE });
    expect(idsOf(await list({ cursor: next_cursor ?? null }))).toEqual(older);
  });

  it('[DEV-36] are those of the caller alone, by the very name', async () => {
    const other = newClientId();
    await registerNamed(at, { entityId: PLATE });
    const theirs = await registerNamed(at, { entityId: PLATE, clientId: other });
    expect(idsOf(await list({}, other))).toEqual([theirs]);
    expect(idsOf(await list({}, newClientId()))).toEqual([]);
    for (const near of [PLATE.toLowerCase(), ` ${PLATE}`, PLATE.normalize('NFD'), '*', 'Plate']) {
      expect(idsOf(await list({ external_entity_id: near })), near).toEqual([]);
    }
  });

  it('[DEV-36] are found after an erasure, as the same registration is answered 208; not named', async () => {
    const id = await registerNamed(at, { entityId: PLATE });
    await at.states.personalKeys.apply([
      { type: 'PersonalErased', subject: deviceSubject(id), at_ms: 1 },
    ]);
    const { devices } = await list();
    expect(devices).toMatchObject([{
      id, external_entity: { entity_id: 'erased', entity_type: 'acme_truck' },
    }]);
    expect(JSON.stringify(devices)).not.toContain(PLATE);
    expect(idsOf(await list({ external_entity_id: 'erased' }))).toEqual([]);
  });

  it.each([
    ['no name', { external_entity_id: null }, 'missing_parameter', '/query/external_entity_id'],
    ['a name of nothing', { external_entity_id: '' }, 'invalid_parameter', '/query/external_entity_id'],
    ['too long a name', { external_entity_id: 'n'.repeat(256) }, 'invalid_parameter', '/query/external_entity_id'],
    ['a type of nothing', { external_entity_type: '' }, 'invalid_parameter', '/query/external_entity_type'],
    ['a page of none', { limit: 0 }, 'invalid_parameter', '/query/limit'],
    ['a cursor that is none', { cursor: 'bm9uZQ' }, 'invalid_parameter', '/query/cursor'],
    ['no country', { country_id: null }, 'missing_parameter', '/query/country_id'],
  ])('are refused for %s', async (_what, params, code, pointer) => {
    const response = await ask(params);
    expect([response.status, await response.json()])
      .toMatchObject([400, { code, errors: [{ pointer }] }]);
  });

  it('take no cursor of another client, entity or page', async () => {
    await generations(2);
    const { next_cursor: mine = '' } = await list({ limit: 1 });
    const other = newClientId();
    await registerNamed(at, { entityId: PLATE, clientId: other });
    await registerNamed(at, { entityId: 'another' });
    const [client, , id] = Buffer.from(mine, 'base64url').toString().split('\n');
    const changed = [[other, '2', id], [client, '3', id], [client, '1', id], [client, '0', '']]
      .map((parts) => Buffer.from(parts.join('\n')).toString('base64url'));
    expect((await ask({ cursor: mine }, other)).status).toBe(400);
    expect((await ask({ cursor: mine, external_entity_id: 'another' })).status).toBe(400);
    for (const cursor of changed) expect((await ask({ cursor })).status).toBe(400);
  });

  it('are an outage, and not none, while the state is not there', async () => {
    await registerNamed(at, { entityId: PLATE });
    at.states.failWith('state_not_ready');
    const response = await ask();
    expect([response.status, response.headers.get('retry-after')]).toEqual([500, expect.any(String)]);
  });
});
