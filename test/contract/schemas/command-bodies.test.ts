import { describe, expect, it } from 'vitest';
import { changed, validatorOf } from './validators.ts';
import type { Json } from './validators.ts';

const time = '2025-11-24T13:00:00-03:00';
const transport = { id: 7, license_plate: 'ABC1D23', country_id: 'BR' };
const address = {
  country_name: 'Brasil', state_name: 'SP', neighborhood_name: 'Centro', street_name: 'Rua',
  street_number: '1', zip_code: '01000-000', geolocation: { latitude: -23.5, longitude: -46.6 },
};
const route = {
  route_id: 1, rostering_id: 2, country_id: 'BR', carrier: { id: 3, name: 'Acme' },
  estimated_start_date: time, estimated_end_date: time,
  estimated_start_monitoring_date: time, estimated_end_monitoring_date: time,
  vehicles: [{ is_tractor: true, type: 'truck', license_plate: 'ABC1D23' }],
  stops: [{
    order: 1, facility: { id: 'XSP1', address },
    estimated_time_departure: time, estimated_time_arrival: time,
  }],
};
const travel = { init_date: time, end_date: time };
const samples: Record<string, Json> = {
  start_tracking: { transport },
  stop_tracking: { transport },
  check_planned_routes: { planned_routes: [route] },
  cancel_planned_routes: { planned_routes: [route] },
  process_telemetry_events: { id: 'cmVxdWVzdC0x', transport, travel },
};
const faults = validatorOf('ProviderCommandBody');
const sampleOf = (command: string): Json => ({ ...samples[command], command });
const faultsAt = (command: string, path: string, value: unknown): string[] =>
  faults(changed(sampleOf(command), path, value)).filter((fault) => fault !== ' if');

describe('the body of a provider command', () => {
  it.each(Object.keys(samples))('[CMD-02] is accepted for %s', (command) => {
    expect(faults(sampleOf(command))).toEqual([]);
  });

  it('[CMD-03] needs a known command and the body of that command', () => {
    expect(faults({ transport })).toEqual(['/command required']);
    expect(faults({ transport, command: 'pause' })).toEqual(['/command enum']);
    expect(faults({ transport, command: 'check_planned_routes' })).toEqual([
      '/planned_routes required',
      ' if',
    ]);
    expect(faults({ command: 'start_tracking', planned_routes: [route] })).toEqual([
      '/transport required',
      ' if',
    ]);
  });

  it.each(['start_tracking', 'stop_tracking', 'process_telemetry_events'])(
    '[CMD-07] [CMD-19] needs every field of the transport for %s',
    (command) => {
      for (const name of ['id', 'license_plate', 'country_id']) {
        const path = `/transport/${name}`;
        expect(faultsAt(command, path, undefined)).toEqual([`${path} required`]);
      }
      expect(faultsAt(command, '/transport/id', '7x')).toEqual(['/transport/id pattern']);
    },
  );

  const at = '/planned_routes/0';
  it.each([
    ['CMD-12', ['route_id', 'rostering_id']],
    ['CMD-13', ['estimated_start_date', 'estimated_end_date']],
    ['CMD-13', ['estimated_start_monitoring_date', 'estimated_end_monitoring_date']],
    ['CMD-14', ['country_id', 'carrier', 'carrier/id', 'carrier/name']],
    ['CMD-15', ['vehicles', 'vehicles/0/is_tractor', 'vehicles/0/type']],
    ['CMD-15', ['vehicles/0/license_plate']],
    ['CMD-16', ['stops', 'stops/0/order', 'stops/0/estimated_time_departure']],
    ['CMD-16', ['stops/0/estimated_time_arrival']],
    ['CMD-17', ['stops/0/facility', 'stops/0/facility/id', 'stops/0/facility/address']],
    ['CMD-17', Object.keys(address).map((name) => `stops/0/facility/address/${name}`)],
    ['CMD-17', ['latitude', 'longitude'].map((name) =>
      `stops/0/facility/address/geolocation/${name}`)],
  ])('[%s] needs %j in a planned route', (_row, names) => {
    for (const name of names) {
      const path = `${at}/${name}`;
      expect(faultsAt('check_planned_routes', path, undefined)).toEqual([`${path} required`]);
    }
  });

  it('[CMD-12] [CMD-13] refuses a route id that is no number and a date without an offset', () => {
    const id = `${at}/route_id`;
    expect(faultsAt('check_planned_routes', id, 'x')).toEqual([`${id} pattern`]);
    const date = `${at}/estimated_end_date`;
    expect(faultsAt('check_planned_routes', date, '2025-11-24T16:00:00Z')).toEqual([]);
    expect(faultsAt('check_planned_routes', date, '2025-11-24T16:00:00')).toEqual([
      `${date} format`,
    ]);
    expect(faultsAt('cancel_planned_routes', '/planned_routes', undefined)).toEqual([
      '/planned_routes required',
    ]);
  });

  it('[CMD-18] takes the same body for checking and cancelling routes', () => {
    expect(faults({ ...sampleOf('check_planned_routes'), command: 'cancel_planned_routes' }))
      .toEqual([]);
  });

  it.each(['/id', '/transport', '/travel/init_date', '/travel/end_date'])(
    '[CMD-19] needs %s in process_telemetry_events',
    (path) => {
      expect(faultsAt('process_telemetry_events', path, undefined)).toEqual([`${path} required`]);
    },
  );

  it.each([
    ['YQ==', []],
    ['YWI=', []],
    ['YWJj', []],
    ['YQ=', ['/id pattern']],
    ['YWJj!', ['/id pattern']],
    ['', ['/id minLength']],
  ])('[CMD-20] validates %j as Base64', (value, expected) => {
    expect(faultsAt('process_telemetry_events', '/id', value)).toEqual(expected);
  });
});
