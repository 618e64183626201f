import { describe, expect, it } from 'vitest';
import {
  boundsOf, createFleet, drawFleet, mercatorX, mercatorY, nearest, stateOf,
} from '../../../services/adapters/console/browser/fleet.ts';
import type { DeviceRow } from '../../../services/adapters/console/browser/updates.ts';

const row = (
  id: string, timestamp: number, longitude = 0, latitude = 0, state?: DeviceRow['state'],
): DeviceRow => (
  { id, timestamp, longitude, latitude, speed: undefined, bearing: undefined, state });
const all = (): boolean => true;

describe('the fleet of the map', () => {
  it.each([[0, 'fresh'], [300, 'fresh'], [301, 'late'], [3_600, 'late'], [3_601, 'silent']])(
    'is at %d seconds %s', (age, state) => {
      expect(stateOf(row('a', 10_000), 10_000 + age)).toBe(state);
    },
  );

  it.each(['stopped', 'overflow'] as const)('is %s where the feed says so, at any age', (state) => {
    for (const age of [0, 9_000]) expect(stateOf(row('a', 1, 0, 0, state), 1 + age)).toBe(state);
  });

  it('has the newest position of each device, and none that are gone', () => {
    const fleet = createFleet();
    for (const each of [row('a', 1), row('b', 2), row('a', 3), row('c', 4)]) fleet.put(each);
    fleet.remove('c');
    expect([...fleet.rows()].map(({ id, timestamp }) => [id, timestamp])).toEqual([['a', 3], ['b', 2]]);
  });

  it('is drawn by state, counts what is hidden too, and marks the chosen device', () => {
    const fleet = createFleet();
    for (const each of [
      row('a', 10_000), row('b', 9_000), row('c', 1), row('d', 10_000, 0, 0, 'stopped'),
      row('e', 10_000, 0, 0, 'overflow'),
    ]) fleet.put(each);
    const { ids, counts, points } = drawFleet(fleet, 10_000, (state) => state !== 'silent', 'b');
    expect(ids).toEqual(['a', 'b', 'd', 'e']);
    expect(counts).toEqual({ fresh: 1, late: 1, silent: 1, stopped: 1, overflow: 1 });
    expect([...points]).toEqual([
      0.5, 0.5, 0, 0, 0.5, 0.5, 1, 1, 0.5, 0.5, 3, 0, 0.5, 0.5, 4, 0,
    ]);
  });

  it('is put where the map of the world has it', () => {
    expect([mercatorX(-180), mercatorX(0), mercatorX(180)]).toEqual([0, 0.5, 1]);
    expect(mercatorY(85.051129)).toBeCloseTo(0, 6);
    expect(mercatorY(-85.051129)).toBeCloseTo(1, 6);
  });

  it('says from where to where its devices are, unless there is none', () => {
    const fleet = createFleet();
    expect(boundsOf(drawFleet(fleet, 1, all))).toBeUndefined();
    for (const each of [row('a', 1, -46.6, -23.5), row('b', 1, 13.4, 52.5), row('c', 1, 0, 0)]) {
      fleet.put(each);
    }
    expect(boundsOf(drawFleet(fleet, 1, all))?.map((degrees) => degrees.toFixed(3)))
      .toEqual(['-46.600', '-23.500', '13.400', '52.500']);
  });

  it('says which devices are near, the nearest first', () => {
    const fleet = createFleet();
    for (const each of [row('far', 1, 40), row('near', 1, 1), row('nearer', 1, 0.1)]) fleet.put(each);
    const drawn = drawFleet(fleet, 1, all);
    expect(nearest(drawn, 0.5, 0.5, 0.01, 5)).toEqual(['nearer', 'near']);
    expect(nearest(drawn, 0.5, 0.5, 1, 1)).toEqual(['nearer']);
  });
});
