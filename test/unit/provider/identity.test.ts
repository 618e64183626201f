import { describe, expect, it } from 'vitest';
import {
  identityOfSent, identityOfStored, type StoredLocation,
} from '../../../services/provider/ledger/identity.ts';

const fix = {
  timestamp: 1_764_000_000, country_id: 'DE', latitude: 53.09843177484889,
  longitude: 9.216968944098916, altitude: 56.999998301267624, accuracy: 1.4999999552965164,
  metadata: [{ name: 'trip', value: '7' }, { name: 'route', value: '3' }],
  telemetry: { timestamp: 1_764_000_000, speed: 58.48611110448837, ignition: true, engine_rpm: 9 },
};

/** The row as a store with 32-bit floats and a map gives it back. */
const row: StoredLocation = {
  device_id: 'd', timestamp: 1_764_000_000, lat_e7: 530_984_318, lon_e7: 92_169_689,
  country_id: 'DE', altitude: 57, accuracy: 1.5, bearing: null, speed: 58.48611, ignition: true,
  odometer: null, metadata: { route: '3', trip: '7' },
};

describe('the identity of a location', () => {
  it('is the same for what was sent and for its row', () => {
    expect(identityOfSent('d', fix)).toBe(identityOfStored(row));
  });

  it.each([
    ['device', { ...row, device_id: 'e' }],
    ['time', { ...row, timestamp: row.timestamp + 1 }],
    ['place', { ...row, lat_e7: row.lat_e7 + 1 }],
    ['content', { ...row, altitude: 58 }],
    ['speed', { ...row, speed: 58.4862 }],
    ['ignition', { ...row, ignition: false }],
    ['missing content', { ...row, altitude: null }],
    ['metadata', { ...row, metadata: { route: '4', trip: '7' } }],
  ])('is another for another %s', (_name, other) => {
    expect(identityOfStored(other)).not.toBe(identityOfStored(row));
  });

  it('does not distinguish what the table of locations does not hold', () => {
    const telemetry = { ...fix.telemetry, engine_rpm: 10 };
    expect(identityOfSent('d', { ...fix, telemetry })).toBe(identityOfSent('d', fix));
  });
});
