import { describe, expect, it } from 'vitest';
import { createUpdateReader } from '../../../services/adapters/console/browser/updates.ts';
import { BINARY, binaryEvent, binaryUpdate } from '../../../services/gateways/live/fixes/updates.ts';
import type { MapDevice } from '../../../services/gateways/live/fixes/map-fleet.ts';

const ID = '0193a5c0-0000-7000-8000-0000000000';
const device = (
  nth: number, more: Partial<MapDevice['fix']> = {}, is: Partial<MapDevice> = {},
): MapDevice => ({
  deviceId: `${ID}${String(nth).padStart(2, '0')}`, ...is,
  fix: { latitude: -34.6037, longitude: 179.9999999, timestamp: 1_764_000_000, ...more },
} as unknown as MapDevice);
const update = (devices: readonly MapDevice[], id: string | undefined): Buffer => binaryUpdate({
  devices, since: 0, hasMore: id === undefined, atMs: 5, id, showsClients: false,
  showsStates: true,
});

const WHOLE = Buffer.concat([
  update([device(1, { speed: 81.4, bearing: 0 }), device(2, {}, { isGone: true })], undefined),
  update([
    device(3), device(4, {}, { isStopped: true }), device(5, {}, { isOverflowing: true }),
  ], 'place-3'),
  binaryEvent(BINARY.reset, 6, 'place-4', 'too_far'),
  binaryEvent(BINARY.mark, 7, 'place-5', ''),
]);

describe('updates in bytes', () => {
  it('are read as the gateway wrote them', () => {
    const [first, second, reset, mark] = createUpdateReader()(WHOLE);
    expect(first).toEqual({
      kind: 'positions', hasMore: true, id: '', atMs: 5, reason: '', gone: [`${ID}02`],
      rows: [{
        id: `${ID}01`, latitude: -34.6037, longitude: 179.9999999, timestamp: 1_764_000_000,
        speed: 81.4, bearing: 0, state: undefined,
      }],
    });
    expect(second).toMatchObject({
      hasMore: false, id: 'place-3', rows: [
        { speed: undefined, bearing: undefined, state: undefined },
        { state: 'stopped' }, { state: 'overflow' },
      ],
    });
    expect(reset).toMatchObject({ kind: 'reset', id: 'place-4', reason: 'too_far' });
    expect(mark).toMatchObject({ kind: 'mark', atMs: 7, id: 'place-5' });
  });

  it.each([1, 3, 7, 50, 1_000])('are the same in pieces of %d bytes', (size) => {
    const read = createUpdateReader();
    const seen = [];
    for (let at = 0; at < WHOLE.length; at += size) {
      seen.push(...read(WHOLE.subarray(at, at + size)));
    }
    expect(seen).toEqual(createUpdateReader()(WHOLE));
  });
});
