import { describe, expect, it, vi } from 'vitest';
import { showTrack } from '../../../services/gateways/query/operations/show-track.ts';
import { callOf, written } from '../../support/calls.ts';
import { fakeDeviceTracks } from '../../support/fake-device-tracks.ts';

const NOW_MS = Date.UTC(2026, 10, 26, 12, 30, 40);
const NOON_S = Date.UTC(2026, 10, 26, 12) / 1_000;
const DAY_MS = 86_400_000;
const [OWN, OTHER] = ['100000000000001', '200000000000002'];
const DEVICE = 'd1';

function opened() {
  const deviceTracks = fakeDeviceTracks();
  const ports = {
    deviceTracks, clock: { nowMs: () => NOW_MS }, pause: () => new Promise<void>(() => undefined),
    isKnown: async (_client: string, device: string) => device === DEVICE,
  };
  const operations = {
    own: showTrack('show-device-track', ports), all: showTrack('show-platform-track', ports),
  };
  const ask = async (
    who: keyof typeof operations, query: Readonly<Record<string, string>>, device = DEVICE,
    clientId = OWN,
  ) => written(operations[who], await operations[who].handle(
    callOf({ clientId, query, params: { device_id: device } })));
  return { deviceTracks, ask };
}

const sent = (client: string, at: number, more: object = {}) => ({
  device: DEVICE, client, receivedAtMs: (NOON_S + at + 3) * 1_000,
  fixes: [{ timestamp: NOON_S + at, latitude: -23.5, longitude: -46.5, ...more }],
});
const timesIn = (body: Readonly<Record<string, unknown>>) => (
  (body['fixes'] as { timestamp: number }[]).map(({ timestamp }) => timestamp - NOON_S)
);
const text = (ms: number): string => new Date(ms).toISOString();

describe('the track of a device', () => {
  it('is that of the day before now, with what the device reported and no more', async () => {
    const { deviceTracks, ask } = opened();
    deviceTracks.send(
      sent(OWN, 0, { telemetry: { speed: 54.5, ignition: true, fuel_level: 70 } }), sent(OWN, 60),
    );
    expect(await ask('own', {})).toMatchObject({
      status: 200,
      body: {
        device_id: DEVICE, since: '2026-11-25T12:30:40.000Z', until: '2026-11-26T12:30:40.000Z',
        fixes_total: 2, fixes_every: 1, readings_total: 1, readings_every: 1,
        fixes: [
          {
            timestamp: NOON_S, latitude: -23.5, longitude: -46.5, country_id: 'BR', speed: 54.5,
            ignition: true, flags: [], provider: 'acme', received_at: '2026-11-26T12:00:03.000Z',
          },
          { timestamp: NOON_S + 60 },
        ],
        readings: [{ timestamp: NOON_S, fuel_level: 70 }],
        odd_fixes_total: 0, odd_fixes: [],
        posts_total: 2, posts_every: 1,
        posts: [
          {
            kind: 'locations', provider: 'acme', received_at: '2026-11-26T12:00:03.000Z', items: 1,
            stored: 1, duplicate: 0, outlier: 0, dead_lettered: 0, waiting: 0,
          },
          { received_at: '2026-11-26T12:01:03.000Z' },
        ],
      },
    });
    const { body } = await ask('own', {});
    expect(Object.keys((body['fixes'] as object[])[1] ?? {})).not.toContain('speed');
  });

  it('is there without its calls where they are not found in time', async () => {
    const { deviceTracks, ask } = opened();
    deviceTracks.send(sent(OWN, 0));
    deviceTracks.losePosts();
    const { status, body } = await ask('own', {});
    expect([status, body['fixes_total']]).toEqual([200, 1]);
    expect(Object.keys(body).filter((name) => name.startsWith('posts'))).toEqual([]);
  });

  it('is what the caller sent of it, and for the platform what all did', async () => {
    const { deviceTracks, ask } = opened();
    deviceTracks.send(sent(OWN, 0), sent(OTHER, 60));
    expect(timesIn((await ask('own', {})).body)).toEqual([0]);
    expect(timesIn((await ask('all', {})).body)).toEqual([0, 60]);
    expect(await ask('own', {}, 'd2')).toMatchObject({
      status: 404, body: { code: 'device_not_found', detail: 'The caller has no such device.' },
    });
    expect(await ask('all', {}, 'd2')).toMatchObject({
      status: 404, body: { code: 'device_not_found', detail: 'There is no such device.' },
    });
  });

  it('is from a second on and before another, and thinned to so many fixes', async () => {
    const { deviceTracks, ask } = opened();
    deviceTracks.send(...[0, 10, 20, 30, 40].map((at) => sent(OWN, at)));
    const since = text((NOON_S + 10) * 1_000);
    const until = text((NOON_S + 40) * 1_000);
    expect(timesIn((await ask('own', { since, until })).body)).toEqual([10, 20, 30]);
    const later = text((NOON_S + 10) * 1_000 + 1);
    expect(timesIn((await ask('own', { since: later, until })).body)).toEqual([20, 30]);
    const thinned = await ask('own', { limit: '2' });
    expect([timesIn(thinned.body), thinned.body['fixes_total'], thinned.body['fixes_every']])
      .toEqual([[10, 40], 5, 3]);
  });

  it.each([
    ['since', { since: 'yesterday' }], ['until', { until: '2026-11-26T12:00:00' }],
    ['since', { since: text(NOW_MS) }],
    ['since', { since: text(NOW_MS - DAY_MS - 1) }],
    ['until', { until: text(NOW_MS + DAY_MS + 1) }],
    ['since', { until: text(NOW_MS - 400 * DAY_MS) }],
    ['limit', { limit: '0' }], ['limit', { limit: '5001' }],
  ])('refuses %s in %j', async (name, query) => {
    expect(await opened().ask('own', query)).toMatchObject({
      status: 400, body: { errors: [{ pointer: `/query/${name}` }] },
    });
  });

  it.each([
    { since: text(NOW_MS - DAY_MS) }, { until: text(NOW_MS + DAY_MS) }, { limit: '5000' },
    { since: text(NOW_MS - 1) },
    { since: text(NOW_MS - 400 * DAY_MS), until: text(NOW_MS - 399 * DAY_MS) },
  ])('takes %j', async (query) => {
    expect((await opened().ask('own', query)).status).toBe(200);
  });

  it('is read once at a time for a user: eight more wait, and none of another user', async () => {
    const { deviceTracks, ask } = opened();
    const letGo = deviceTracks.hold();
    const nine = Array.from({ length: 9 }, () => ask('own', {}));
    await vi.waitFor(() => { expect(deviceTracks.reading()).toBe(1); });
    expect(await ask('own', {})).toMatchObject({ status: 429, headers: { 'Retry-After': '1' } });
    const other = ask('own', {}, DEVICE, OTHER);
    await vi.waitFor(() => { expect(deviceTracks.reading()).toBe(2); });
    letGo();
    for (const { status } of await Promise.all([...nine, other])) expect(status).toBe(200);
    expect((await ask('own', {})).status).toBe(200);
  });

  it('is an outage while the tables do not answer', async () => {
    const { deviceTracks, ask } = opened();
    deviceTracks.lose();
    await expect(ask('all', {})).rejects.toMatchObject({ code: 'sink_unavailable' });
  });
});
