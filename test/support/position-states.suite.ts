import { afterEach, beforeEach, expect, it } from 'vitest';
import { anOffer } from './state-facts.ts';
import type { OpenedStates, OpenStates } from './open-states.ts';

/** What every implementation of the ports PositionStates and Readiness must do. */
export function positionStatesSuite(open: OpenStates): void {
  let states: OpenedStates;
  beforeEach(async () => { states = await open(); });
  afterEach(() => states.close());

  it('keeps the newest fix by its own time, and finds it for its client only', async () => {
    const first = anOffer({ speed: 40.5, bearing: 359.9, ignition: false });
    const { position, ...fix } = first;
    await states.positions.offer([first, anOffer()]);
    expect(await states.positions.find(first.client_id, first.device_id)).toEqual(fix);
    expect(await states.positions.find('100000000000001', first.device_id)).toBeUndefined();

    const late = { ...first, timestamp: first.timestamp - 1, latitude: 1 };
    await states.positions.offer([{ ...late, position: { ...position, offset: 99n } }]);
    expect(await states.positions.find(first.client_id, first.device_id)).toEqual(fix);
  });

  it('decides one second by the place in the log, also beyond 2^53', async () => {
    const big = 2n ** 60n;
    const base = anOffer();
    const at = (offset: bigint, latitude: number): typeof base => (
      { ...base, latitude, position: { ...base.position, offset } }
    );
    const latitude = async (): Promise<number | undefined> =>
      (await states.positions.find(base.client_id, base.device_id))?.latitude;
    await states.positions.offer([at(9n, 1), at(big + 1n, 3), at(big, 2), at(10n, 4)]);
    expect(await latitude()).toBe(3);
    await states.positions.offer([at(big + 1n, 5)]);
    expect(await latitude()).toBe(3);
    await states.positions.offer([at(big + 2n, 6)]);
    expect(await latitude()).toBe(6);
  });

  it('does not say "none" before the positions are complete', async () => {
    const { client_id, device_id } = anOffer();
    expect(await states.positions.isComplete()).toBe(true);
    expect(await states.positions.find(client_id, device_id)).toBeUndefined();
    await states.wipe();
    await expect(states.positions.find(client_id, device_id))
      .rejects.toMatchObject({ code: 'state_not_ready' });
    expect(await states.readiness.claimRebuild('me', 5_000)).toBe(true);
    expect(await states.readiness.markReady('me')).toBe(true);
    await expect(states.positions.find(client_id, device_id))
      .rejects.toMatchObject({ code: 'state_not_ready' });
    const known = anOffer();
    await states.positions.offer([known]);
    expect(await states.positions.find(known.client_id, known.device_id)).toBeDefined();
    expect(await states.positions.markComplete('me')).toBe(false);
    expect(await states.readiness.claimRebuild('me', 5_000)).toBe(true);
    expect(await states.positions.markComplete('stranger')).toBe(false);
    expect(await states.positions.markComplete('me')).toBe(true);
    expect(await states.positions.find(client_id, device_id)).toBeUndefined();
  });

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
