import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FleetCursor, GeoBox, LastFix } from '../../services/kernel/fixes.ts';
import {
  aClient, anOffer, aRegistration, aTraceableOffer, newClientId, placed, stopOf,
} from './state-facts.ts';
import type { OpenedStates, OpenStates } from './open-states.ts';

/** What every implementation of the ports PositionStates and Readiness must do. */
export function lastFixesSuite(open: OpenStates): void {
  let states: OpenedStates;
  beforeEach(async () => { states = await open(); });
  afterEach(() => states.close());

  it('keeps the newest fix by its own time, and finds it for its client only', async () => {
    const first = anOffer({ speed: 40.5, bearing: 359.9, ignition: false });
    const { recordId, ...fix } = first;
    await states.lastFixes.offer([first, anOffer()]);
    expect(await states.lastFixes.find(first.client_id, first.device_id)).toEqual(fix);
    expect(await states.lastFixes.find('100000000000001', first.device_id)).toBeUndefined();

    const late = { ...first, timestamp: first.timestamp - 1, latitude: 1 };
    await states.lastFixes.offer([{ ...late, recordId: { ...recordId, offset: 99n } }]);
    expect(await states.lastFixes.find(first.client_id, first.device_id)).toEqual(fix);
  });

  it('decides one second by the place in the log, also beyond 2^53', async () => {
    const big = 2n ** 60n;
    const base = anOffer();
    const at = (offset: bigint, latitude: number): typeof base => (
      { ...base, latitude, recordId: { ...base.recordId, offset } }
    );
    const latitude = async (): Promise<number | undefined> =>
      (await states.lastFixes.find(base.client_id, base.device_id))?.latitude;
    await states.lastFixes.offer([at(9n, 1), at(big + 1n, 3), at(big, 2), at(10n, 4)]);
    expect(await latitude()).toBe(3);
    await states.lastFixes.offer([at(big + 1n, 5)]);
    expect(await latitude()).toBe(3);
    await states.lastFixes.offer([at(big + 2n, 6)]);
    expect(await latitude()).toBe(6);
  });

  it('does not say "none" before the positions are complete', async () => {
    const { client_id, device_id } = anOffer();
    expect(await states.lastFixes.isComplete()).toBe(true);
    expect(await states.lastFixes.find(client_id, device_id)).toBeUndefined();
    await states.wipe();
    await expect(states.lastFixes.find(client_id, device_id))
      .rejects.toMatchObject({ code: 'state_not_ready' });
    expect(await states.readiness.claimRebuild('me', 5_000)).toBe(true);
    expect(await states.readiness.markReady('me')).toBe(true);
    await expect(states.lastFixes.find(client_id, device_id))
      .rejects.toMatchObject({ code: 'state_not_ready' });
    const known = anOffer();
    await states.lastFixes.offer([known]);
    expect(await states.lastFixes.find(known.client_id, known.device_id)).toBeDefined();
    expect(await states.lastFixes.markComplete('me')).toBe(false);
    expect(await states.readiness.claimRebuild('me', 5_000)).toBe(true);
    expect(await states.lastFixes.markComplete('stranger')).toBe(false);
    expect(await states.lastFixes.markComplete('me')).toBe(true);
    expect(await states.lastFixes.find(client_id, device_id)).toBeUndefined();
  });

  it('[GEN-59] forgets what was received up to an erasure, whichever of both comes first', async () => {
    const old = anOffer();
    const { client_id, device_id, received_at_ms } = old;
    const track = {
      type: 'TrackErased', client_id, device_id, received_until_ms: received_at_ms,
    } as const;
    const at = async () => (await states.lastFixes.find(client_id, device_id))?.timestamp;
    const inFleet = async () => (
      await states.lastFixes.findWithin(client_id, EARTH, undefined, 10)
    ).fixes.length;
    await states.lastFixes.offer([old]);
    expect([await at(), await inFleet()]).toEqual([old.timestamp, 1]);
    await states.lastFixes.erase([track]);
    expect([await at(), await inFleet()]).toEqual([undefined, 0]);
    // A rebuild or a replay brings it again; an earlier erasure changes nothing.
    await states.lastFixes.erase([{ ...track, received_until_ms: 1 }]);
    await states.lastFixes.offer([old, { ...old, timestamp: old.timestamp + 9 }]);
    expect([await at(), await inFleet()]).toEqual([undefined, 0]);
    const fresh = { ...old, received_at_ms: received_at_ms + 1, timestamp: old.timestamp - 9 };
    await states.lastFixes.offer([fresh]);
    await states.lastFixes.erase([track]);
    expect([await at(), await inFleet()]).toEqual([fresh.timestamp, 1]);
  });

  fleet(() => states);
  traceables(() => states);

  it('gives the right to rebuild to one, who alone may mark the store ready', async () => {
    await states.wipe();
    expect(await states.readiness.isReady()).toBe(false);
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, i) => states.readiness.claimRebuild(`owner-${i}`, 5_000)),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
    const owner = `owner-${claims.indexOf(true)}`;
    expect(await states.readiness.renewRebuild('stranger', 5_000)).toBe(false);
    expect(await states.readiness.markReady('stranger')).toBe(false);
    expect(await states.readiness.isReady()).toBe(false);
    expect(await states.readiness.renewRebuild(owner, 5_000)).toBe(true);
    expect(await states.readiness.markReady(owner)).toBe(true);
    expect(await states.readiness.isReady()).toBe(true);
    expect(await states.readiness.claimRebuild('stranger', 5_000)).toBe(true);
  });

  it('takes the right to rebuild away with a wipe', async () => {
    await states.wipe();
    expect(await states.readiness.claimRebuild('me', 5_000)).toBe(true);
    await states.wipe();
    expect(await states.readiness.renewRebuild('me', 5_000)).toBe(false);
    expect(await states.readiness.markReady('me')).toBe(false);
    expect(await states.readiness.isReady()).toBe(false);
  });
}

const EARTH: GeoBox = {
  min_longitude: -180, min_latitude: -90, max_longitude: 180, max_latitude: 90,
};

function fleet(at: () => OpenedStates): void {
  /** Every page of a fleet, one after the other. */
  async function all(clientId: string, box: GeoBox, limit = 100): Promise<readonly string[]> {
    const found: LastFix[] = [];
    let after: FleetCursor | undefined;
    do {
      const page = await at().lastFixes.findWithin(clientId, box, after, limit);
      expect(page.fixes.length).toBeLessThanOrEqual(limit);
      found.push(...page.fixes);
      after = page.next;
    } while (after !== undefined);
    return found.map(({ device_id }) => device_id);
  }

  it('finds the fleet of a client in a box, edges, date line and poles included', async () => {
    const client_id = newClientId();
    const places = {
      corner: [10, 50], middle: [10.5, 50.5], north: [11, 51], out: [11.0001, 51], west: [9, 50.5],
      fiji: [179.9, -17], tonga: [-175.2, -21.1], dateline: [180, 0], pole: [30, 89.9],
      south: [-60, -90],
    } as const;
    await at().lastFixes.offer(Object.entries(places).map(([device_id, [longitude, latitude]]) =>
      anOffer({ client_id, device_id: `${client_id}-${device_id}`, longitude, latitude })));
    await at().lastFixes.offer([anOffer({ longitude: 10.5, latitude: 50.5 })]);
    const within = async (...edges: readonly number[]): Promise<readonly string[]> => {
      const [west = 0, south = 0, east = 0, north = 0] = edges;
      const box = {
        min_longitude: west, min_latitude: south, max_longitude: east, max_latitude: north,
      };
      return (await all(client_id, box)).map((id) => id.slice(client_id.length + 1)).sort();
    };
    expect(await within(10, 50, 11, 51)).toEqual(['corner', 'middle', 'north']);
    expect(await within(10, 50, 10, 50)).toEqual(['corner']);
    expect(await within(-10, -10, -9, -9)).toEqual([]);
    expect(await within(170, -30, -170, -10)).toEqual(['fiji', 'tonga']);
    expect(await within(-180, 80, 180, 90)).toEqual(['pole']);
    expect(await within(-180, -90, 180, -89)).toEqual(['south']);
    expect(await within(180, -1, 180, 1)).toEqual(['dateline']);
    expect((await within(-180, -90, 180, 90)).length).toBe(10);
    expect(await all(newClientId(), EARTH)).toEqual([]);
  });

  it('gives each device of a fleet once, page by page, also many at one place', async () => {
    const client_id = newClientId();
    const offers = Array.from({ length: 57 }, (_, i) => anOffer({
      client_id, latitude: i < 30 ? 50 : 50 + i / 1_000, longitude: 10,
    }));
    await at().lastFixes.offer(offers);
    const found = await all(client_id, EARTH, 10);
    expect([...found].sort()).toEqual(offers.map(({ device_id }) => device_id).sort());
  });

  it('follows a device that moves, and leaves out one that was stopped, in any order', async () => {
    const client = aClient();
    const { client_id } = client;
    const [moving, stopped, late] = [
      aRegistration(client), aRegistration(client), aRegistration(client),
    ];
    await at().devices.apply(placed([moving, stopped, late, stopOf(late)]));
    const offers = [moving, stopped, late]
      .map(({ device_id }) => anOffer({ client_id, device_id }));
    await at().lastFixes.offer(offers);
    const there = { ...EARTH, min_latitude: 60 };
    expect(await all(client_id, there)).toEqual([]);
    await at().devices.apply(placed([stopOf(stopped)], 9));
    expect(await all(client_id, EARTH)).toEqual([moving.device_id]);
    const later = anOffer({
      client_id, device_id: moving.device_id, latitude: 61, timestamp: 1_764_000_099,
    });
    await at().lastFixes.offer([later]);
    expect(await all(client_id, there)).toEqual([moving.device_id]);
    expect(await at().lastFixes.find(client_id, stopped.device_id)).toBeDefined();
  });

  it('says nothing about a fleet before the positions are complete', async () => {
    await at().wipe();
    await expect(at().lastFixes.findWithin(newClientId(), EARTH, undefined, 10))
      .rejects.toMatchObject({ code: 'state_not_ready' });
  });
}

function traceables(at: () => OpenedStates): void {
  it('keeps the newest fix of a traceable, for the client that sent it only', async () => {
    const first = aTraceableOffer({ traceable_id: 'a|b', bearing: 12.5 });
    const { recordId, ...fix } = first;
    const { client_id, traceable_type, traceable_id } = first;
    const find = (client = client_id, type = traceable_type, id = traceable_id): Promise<unknown> =>
      at().traceables.find(client, type, id);
    await at().traceables.offer([first, aTraceableOffer({ traceable_id })]);
    const moved = (latitude: number, offset: bigint, timestamp = first.timestamp): typeof first => (
      { ...first, latitude, timestamp, recordId: { ...recordId, offset } }
    );
    await at().traceables.offer([moved(1, 9n, first.timestamp - 1), moved(2, 0n)]);
    expect(await find()).toEqual(fix);
    expect(await find(newClientId())).toBeUndefined();
    expect(await find(client_id, 'parcel')).toBeUndefined();
    await at().traceables.offer([moved(3, 10n)]);
    expect(await find()).toMatchObject({ latitude: 3 });
    await at().wipe();
    await expect(find()).rejects.toMatchObject({ code: 'state_not_ready' });
  });
}
