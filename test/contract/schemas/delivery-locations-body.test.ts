import { describe, expect, it } from 'vitest';
import { changed, pairs, validatorOf } from './validators.ts';
import type { Json } from './validators.ts';

const fix = { timestamp: 1764000000, latitude: -23.5, longitude: -46.6 };
const device = { external_id: 'driver-7', external_type: 'acme_driver' };
const traceables = [{ id: '4001', type: 'shipment' }];
const sample: Json = { post_timestamp: 1764000005, locations: [fix], device, traceables };
const faults = validatorOf('DeliveryLocationsBody');
const faultsAt = (path: string, value: unknown): string[] =>
  faults(changed(sample, path, value)).filter((fault) => fault !== ' if');

describe('the body of a delivery locations call', () => {
  it('[DLV-07] is accepted without a country in the location', () => {
    expect(faults(sample)).toEqual([]);
  });

  it.each([
    ['DLV-03', '/post_timestamp'],
    ['DLV-03', '/locations'],
    ['DLV-04', '/device/external_id'],
    ['DLV-04', '/device/external_type'],
    ['DLV-05', '/traceables/0/id'],
    ['DLV-05', '/traceables/0/type'],
    ['DLV-07', '/locations/0/timestamp'],
    ['DLV-07', '/locations/0/latitude'],
    ['DLV-07', '/locations/0/longitude'],
  ])('[%s] needs %s', (_row, path) => {
    expect(faultsAt(path, undefined)).toEqual([`${path} required`]);
  });

  it.each([
    ['device', device],
    ['traceables', traceables],
  ])('[DLV-04] [DLV-05] [DLV-11] needs %s at the top or in every location', (name, value) => {
    const without = changed(sample, `/${name}`, undefined);
    const inOne = { ...without, locations: [{ ...fix, [name]: value }, fix] };
    const inAll = { ...without, locations: [{ ...fix, [name]: value }] };
    expect(faults(without)).toContain(`/locations/0/${name} required`);
    expect(faults(inOne)).toContain(`/locations/1/${name} required`);
    expect(faults(inAll)).toEqual([]);
  });

  it.each(['altitude', 'accuracy', 'bearing', 'bearing_accuracy'])(
    '[DLV-08] takes %s as a number',
    (name) => {
      expect(faultsAt(`/locations/0/${name}`, 1.5)).toEqual([]);
      expect(faultsAt(`/locations/0/${name}`, '1')).toEqual([`/locations/0/${name} type`]);
    },
  );

  it('[DLV-09] [DLV-13] takes 20 pairs and 1,000 locations, and no more', () => {
    const many = (count: number): Json[] => Array.from({ length: count }, () => fix);
    expect(faultsAt('/locations/0/metadata', pairs(20))).toEqual([]);
    expect(faultsAt('/locations/0/metadata', pairs(21))).toEqual([
      '/locations/0/metadata maxItems',
    ]);
    expect(faultsAt('/locations', many(1000))).toEqual([]);
    expect(faultsAt('/locations', many(1001))).toEqual(['/locations maxItems']);
  });
});
