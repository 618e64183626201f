import { describe, expect, it, vi } from 'vitest';
import { knownCountries } from '../../../services/adapters/config/countries.ts';
import { listPastFleet } from '../../../services/gateways/live/operations/list-past-fleet.ts';
import { callOf, written } from '../../support/calls.ts';
import { aPastFix, fakePastFleet } from '../../support/fake-past-fleet.ts';

const NOW_MS = Date.UTC(2026, 10, 26, 12, 30, 40);
const MINUTE_S = Date.UTC(2026, 10, 25, 8, 15) / 1_000;
const AT = '2026-11-25T08:15:27Z';
const OWN = '100000000000001';

function opened() {
  const pastFleet = fakePastFleet();
  const [own, all] = listPastFleet({
    pastFleet, clock: { nowMs: () => NOW_MS }, countries: knownCountries([]),
    pause: () => new Promise<void>(() => undefined),
  });
  const ask = async (
    operation: typeof own, query: Readonly<Record<string, string>>, clientId = OWN,
  ) => written(operation!, await operation!.handle(callOf({ clientId, query })));
  return {
    pastFleet,
    own: (query: Readonly<Record<string, string>>, clientId?: string) => ask(own, query, clientId),
    all: (query: Readonly<Record<string, string>>) => ask(all, query),
  };
}

const fixOf = (device_id: string, change: object = {}) => aPastFix({
  device_id, client_id: OWN, timestamp: MINUTE_S + 59, country_id: 'br', ...change,
});
const idsIn = (body: Readonly<Record<string, unknown>>) => (
  (body['positions'] as { device_id: string }[]).map(({ device_id }) => device_id)
);

describe('the fleet of the past', () => {
  it('has the last fix of each device until the end of the minute, with its age then', async () => {
    const { pastFleet, own } = opened();
    pastFleet.fixes.push(fixOf('d1'), fixOf('d1', { timestamp: MINUTE_S + 60 }));
    expect(await own({ at: AT })).toMatchObject({
      status: 200,
      body: {
        at: '2026-11-25T08:15:00.000Z', has_more: false,
        positions: [{
          device_id: 'd1', timestamp: MINUTE_S + 59, latitude: -23.55052, longitude: -46.633308,
          country_id: 'br', country_code: 'BR', provider: 'acme', age_seconds: 1,
        }],
      },
    });
  });

  it('is of the caller alone, and for the platform of all, with whose each device is', async () => {
    const { pastFleet, own, all } = opened();
    pastFleet.fixes.push(fixOf('d1'), fixOf('d2', { client_id: '200000000000002' }));
    const mine = await own({ at: AT });
    expect(idsIn(mine.body)).toEqual(['d1']);
    expect(JSON.stringify(mine.body)).not.toContain('client_id');
    expect((await all({ at: AT })).body['positions']).toMatchObject([
      { device_id: 'd1', client_id: OWN }, { device_id: 'd2', client_id: '200000000000002' },
    ]);
    // Only the platform may ask for a provider; a client that names one asks for its own fleet.
    expect(idsIn((await own({ at: AT, provider: 'other' })).body)).toEqual(['d1']);
    expect(idsIn((await all({ at: AT, provider: 'other' })).body)).toEqual([]);
  });

  it('comes by pages, and by a box', async () => {
    const { pastFleet, own } = opened();
    pastFleet.fixes.push(...['d3', 'd1', 'd2'].map((id) => fixOf(id)), fixOf('d4', { latitude: 1 }));
    const first = await own({ at: AT, limit: '2', bbox: '-47,-24,-46,-23' });
    expect([idsIn(first.body), first.body['has_more']]).toEqual([['d1', 'd2'], true]);
    const cursor = String(first.body['next_cursor']);
    const second = await own({ at: AT, limit: '2', bbox: '-47,-24,-46,-23', cursor });
    expect([idsIn(second.body), second.body['has_more']]).toEqual([['d3'], false]);
    expect((await own({ at: '2026-11-25T08:16:00Z', cursor })).status).toBe(400);
  });

  it('can be asked for from now back to 400 days ago, and is refused beyond', async () => {
    const { own } = opened();
    const text = (ms: number) => new Date(ms).toISOString();
    const oldest = NOW_MS - 400 * 86_400_000;
    for (const [at, status] of [
      [text(NOW_MS), 200], [text(NOW_MS + 1), 400], [text(oldest), 200], [text(oldest - 1), 400],
    ] as const) {
      expect((await own({ at })).status, at).toBe(status);
    }
  });

  it.each([
    ['at', {}], ['at', { at: 'yesterday' }], ['at', { at: '2026-11-25T08:15:27' }],
    ['bbox', { at: AT, bbox: '1,2,3' }], ['limit', { at: AT, limit: '0' }],
    ['limit', { at: AT, limit: '10001' }], ['cursor', { at: AT, cursor: 'AAAA' }],
    ['cursor', { at: AT, cursor: Buffer.from(`${MINUTE_S * 1_000}\n`).toString('base64url') }],
  ])('refuses %s in %j', async (name, query) => {
    expect(await opened().own(query)).toMatchObject({
      status: 400, body: { errors: [{ pointer: `/query/${name}` }] },
    });
  });

  it('is read once at a time for a user: eight more wait, and none of another user', async () => {
    const { pastFleet, own } = opened();
    const letGo = pastFleet.hold();
    const nine = Array.from({ length: 9 }, () => own({ at: AT }));
    expect(await own({ at: AT })).toMatchObject({ status: 429, headers: { 'Retry-After': '1' } });
    expect(pastFleet.reading()).toBe(1);
    const other = own({ at: AT }, '200000000000002');
    await vi.waitFor(() => { expect(pastFleet.reading()).toBe(2); });
    letGo();
    for (const { status } of await Promise.all([...nine, other])) expect(status).toBe(200);
    expect(await own({ at: AT })).toMatchObject({ status: 200 });
  });

  it('is an outage while the tables do not answer', async () => {
    const { pastFleet, own } = opened();
    pastFleet.lose();
    await expect(own({ at: AT })).rejects.toMatchObject({ code: 'sink_unavailable' });
  });
});
