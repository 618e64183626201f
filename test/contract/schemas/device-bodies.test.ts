import { describe, expect, it } from 'vitest';
import { changed, validatorOf } from './validators.ts';
import type { Json } from './validators.ts';

const entity = { entity_id: 'truck-1', entity_type: 'acme_truck' };
const sample: Json = { external_entity: entity, transport: { id: 7 }, device_specs: {} };
const faults = validatorOf('RegisterDeviceBody');
const faultsAt = (path: string, value: unknown): string[] => faults(changed(sample, path, value));

describe('the body of a registration', () => {
  it('[DEV-10] is accepted without device_specs, and with each of its fields', () => {
    expect(faultsAt('/device_specs', undefined)).toEqual([]);
    expect(faults(sample)).toEqual([]);
    const specs = { device_type: 'GPS', brand: 'b', model: 'm', equipment_id: 'e' };
    expect(faultsAt('/device_specs', specs)).toEqual([]);
    expect(faultsAt('/device_specs', { brand: 1 })).toEqual(['/device_specs/brand type']);
    expect(faultsAt('/device_specs', { model: 'x'.repeat(256) })).toEqual([
      '/device_specs/model maxLength',
    ]);
  });

  it.each([
    '/external_entity',
    '/external_entity/entity_id',
    '/external_entity/entity_type',
    '/transport',
    '/transport/id',
  ])('[DEV-09] needs %s', (path) => {
    expect(faultsAt(path, undefined)).toEqual([`${path} required`]);
  });

  it.each([true, 7.5, null, {}])('[DEV-09] refuses the transport id %j', (value) => {
    expect(faultsAt('/transport/id', value)).toEqual(['/transport/id type']);
  });

  it.each(['MOBILE', 'GPS', 'OBD', 'OTHER'])('[DEV-11] takes the device type %s', (value) => {
    expect(faultsAt('/device_specs/device_type', value)).toEqual([]);
  });

  it.each(['gps', 'PHONE', ''])('[DEV-11] refuses the device type %j', (value) => {
    expect(faultsAt('/device_specs/device_type', value)).toEqual([
      '/device_specs/device_type enum',
    ]);
  });

  it('[DEV-12] [GEN-23] takes any entity type and id of 1 to 255 characters', () => {
    for (const name of ['entity_id', 'entity_type']) {
      const path = `/external_entity/${name}`;
      expect(faultsAt(path, 'never seen before')).toEqual([]);
      expect(faultsAt(path, 'x'.repeat(255))).toEqual([]);
      expect(faultsAt(path, 'x'.repeat(256))).toEqual([`${path} maxLength`]);
      expect(faultsAt(path, '')).toEqual([`${path} minLength`]);
    }
  });

  it('[GEN-34] takes Longs as text of up to 2^63-1, and no other text', () => {
    for (const text of ['0', '42', '-7', '9007199254740993', '9223372036854775807']) {
      expect(faultsAt('/transport/id', text)).toEqual([]);
    }
    for (const text of [
      '', '01', '+1', '1.0', '1e3', ' 1', '0x1', '9223372036854775808', '18446744073709551615',
    ]) expect(faultsAt('/transport/id', text)).toEqual(['/transport/id pattern']);
  });

  it('[GEN-24] refuses integer ids that a JSON number cannot hold exactly', () => {
    expect(faultsAt('/transport/id', 9007199254740991)).toEqual([]);
    expect(faultsAt('/transport/id', JSON.parse('9007199254740993'))).toEqual([
      '/transport/id maximum',
    ]);
    expect(faultsAt('/transport/id', JSON.parse('-9007199254740993'))).toEqual([
      '/transport/id minimum',
    ]);
  });

  it('[GEN-15] [GEN-32] accepts unknown fields except a top-level m', () => {
    expect(faults({ ...sample, extra: 1 })).toEqual([]);
    expect(faults({ ...sample, m: {} })).toEqual([' not']);
  });
});

describe('the device resource', () => {
  const time = '2025-11-24T16:00:00.000Z';
  const history = {
    date_created: time,
    last_updated: time,
    last_status_updated: time,
    last_status_update: time,
  };
  const resource: Json = {
    id: 'd1',
    owner_id: 'u1',
    client_id: 100000000000042,
    status: 'active',
    external_entity: entity,
    transport: { id: 7 },
    device_specs: { type: 'GPS' },
    history,
  };
  const resourceFaults = validatorOf('DeviceResource');

  it('[DEV-02] carries all its fields', () => {
    expect(resourceFaults(resource)).toEqual([]);
    for (const name of ['id', 'owner_id', 'status', 'external_entity', 'transport', 'history']) {
      expect(resourceFaults(changed(resource, `/${name}`, undefined))).toEqual([
        `/${name} required`,
      ]);
    }
  });

  it('[DEV-04] has a status in lower case', () => {
    expect(resourceFaults(changed(resource, '/status', 'inactive'))).toEqual([]);
    expect(resourceFaults(changed(resource, '/status', 'ACTIVE'))).toEqual(['/status enum']);
  });

  it('[DEV-05] has a numeric client id', () => {
    expect(resourceFaults(changed(resource, '/client_id', '42'))).toEqual(['/client_id type']);
  });

  it('[DEV-06] names the device type "type"', () => {
    const renamed = changed(resource, '/device_specs', { device_type: 'GPS' });
    expect(resourceFaults(renamed)).toEqual(['/device_specs additionalProperties']);
  });

  it.each(Object.keys(history))('[DEV-07] has the date-time %s in its history', (name) => {
    const path = `/history/${name}`;
    expect(resourceFaults(changed(resource, path, undefined))).toEqual([`${path} required`]);
    expect(resourceFaults(changed(resource, path, '2025-11-24'))).toEqual([`${path} format`]);
  });
});
