import { describe, expect, it } from 'vitest';
import { chooseFix } from '../../../services/kernel/choose-fix.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';

const config = { fixAgeSecondsMax: 1_000_000 };
const receivedAt = 1_764_000_000;
const headers = {
  client: '100000000000042', provider: 'acme', country: 'BR',
  'received-at': String(receivedAt * 1000), n: '1',
};

function post(fixes: readonly object[], change = {}): ReturnType<typeof aLogRecord> {
  const body = { device_id: 'forged', post_timestamp: receivedAt, locations: fixes };
  return aLogRecord('rtt.locations.v1', 5, body, { key: 'device-1', headers, ...change });
}

function fix(timestamp: number, change: object = {}): object {
  return { timestamp, country_id: 'AR', latitude: -23.5, longitude: -46.6, ...change };
}

function chosenTime(...fixes: readonly object[]): number | 'none' | undefined {
  const chosen = chooseFix(config, post(fixes));
  return typeof chosen === 'object' ? chosen.timestamp : chosen;
}

describe('Choosing a last position', () => {
  it('takes the newest fix with what was admitted, not what the body says', () => {
    const telemetry = { timestamp: 1.5, speed: 61.5, ignition: true, others: [] };
    const chosen = chooseFix(config, post([
      fix(receivedAt - 1, { bearing: 12.5, telemetry }), fix(receivedAt - 5),
    ]));
    expect(chosen).toEqual({
      client_id: '100000000000042', device_id: 'device-1', provider: 'acme', country_id: 'BR',
      timestamp: receivedAt - 1, latitude: -23.5, longitude: -46.6,
      speed: 61.5, bearing: 12.5, ignition: true, received_at_ms: receivedAt * 1000,
      recordId: { topicId: 'rtt.locations.v1-id', partition: 0, offset: 5n },
    });
  });

  it('[LOC-22] leaves out fixes more than 300 s ahead of their receipt', () => {
    expect(chosenTime(fix(receivedAt + 300))).toBe(receivedAt + 300);
    expect(chosenTime(fix(receivedAt + 301))).toBe('none');
    expect(chosenTime(fix(receivedAt + 86_400), fix(receivedAt - 9))).toBe(receivedAt - 9);
  });

  it('leaves out fixes older than what is kept', () => {
    expect(chosenTime(fix(receivedAt - 1_000_000))).toBe(receivedAt - 1_000_000);
    expect(chosenTime(fix(receivedAt - 1_000_001))).toBe('none');
  });

  it.each([0, 946_684_799, 4_294_967_296, 253_402_300_799])(
    '[GEN-27] leaves out a fix of the impossible second %d, and takes the real one', (never) => {
      expect(chosenTime(fix(never))).toBe('none');
      expect(chosenTime(fix(never), fix(receivedAt - 9), fix(never))).toBe(receivedAt - 9);
    },
  );

  it('leaves out the place 0,0, but no place on the equator or the first meridian', () => {
    expect(chosenTime(fix(receivedAt, { latitude: 0, longitude: 0 }))).toBe('none');
    expect(chosenTime(fix(receivedAt, { latitude: -0, longitude: 0 }))).toBe('none');
    expect(chosenTime(fix(receivedAt, { latitude: 0 }))).toBe(receivedAt);
    expect(chosenTime(fix(receivedAt, { longitude: 0 }))).toBe(receivedAt);
  });

  it.each([
    ['no headers', post([fix(1)], { headers: {} })],
    ['no receipt', post([fix(1)], { headers: { ...headers, 'received-at': 'soon' } })],
    ['no key', post([fix(1)], { key: '' })],
    ['no list', aLogRecord('rtt.locations.v1', 1, { locations: 7 }, { headers })],
    ['no JSON', aLogRecord('rtt.locations.v1', 1, '{"locations":[', { headers })],
    ['a fix without a time', post([{ latitude: 1, longitude: 1 }])],
    ['a fix that is no object', post([null as unknown as object])],
  ])('sees that a record is not such a post: %s', (_why, record) => {
    expect(chooseFix(config, record)).toBeUndefined();
  });
});
