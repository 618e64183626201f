import { describe, expect, it } from 'vitest';
import {
  driverEraserOfEach, trackEraserOfEach,
} from '../../../services/adapters/clickhouse/each-replica.ts';
import type { DriverEraser, NamedDriver } from '../../../services/kernel/driver-eraser.ts';

const DRIVER: NamedDriver = {
  client_id: 'c', provider: 'p', external_type: 't', external_id: 'one',
};
const OTHER = { ...DRIVER, external_id: 'two' };
const away = () => Promise.reject(new Error('away'));

function replica(rows: number, drivers: readonly NamedDriver[]) {
  const erased: string[] = [];
  const eraser: DriverEraser = {
    driversOf: () => Promise.resolve(drivers),
    traceablesOf: () => Promise.resolve([{ type: 'box', id: '1' }]),
    erase: ({ external_id }) => { erased.push(external_id); return Promise.resolve(rows); },
  };
  return { eraser, erased };
}
const gone: DriverEraser = { driversOf: away, traceablesOf: away, erase: away };

describe('Erasing in every replica', () => {
  it('deletes in each and answers the rows of the first one', async () => {
    const deleted: string[] = [];
    const track = (name: string, rows: number) => ({
      erase: (device: string) => { deleted.push(`${name} ${device}`); return Promise.resolve(rows); },
    });
    expect(await trackEraserOfEach([track('a', 3), track('b', 2)]).erase('d', [], 1)).toBe(3);
    expect(deleted).toEqual(['a d', 'b d']);
    const [one, two] = [replica(3, [DRIVER]), replica(1, [DRIVER, OTHER])];
    const each = driverEraserOfEach([one.eraser, two.eraser]);
    expect(await each.driversOf('c', 'p')).toEqual([DRIVER, OTHER]);
    expect(await each.traceablesOf(DRIVER)).toEqual([{ type: 'box', id: '1' }]);
    expect(await each.erase(DRIVER, 1)).toBe(3);
    expect([one.erased, two.erased]).toEqual([['one'], ['one']]);
  });

  it('does in one what it can while another is away, and rejects', async () => {
    const { eraser, erased } = replica(3, [DRIVER]);
    const each = driverEraserOfEach([gone, eraser]);
    expect(await each.driversOf('c', 'p')).toEqual([DRIVER]);
    await expect(each.erase(DRIVER, 1)).rejects.toThrow('away');
    expect(erased).toEqual(['one']);
    await expect(driverEraserOfEach([gone]).driversOf('c', 'p')).rejects.toThrow('away');
  });
});
