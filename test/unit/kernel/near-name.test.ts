import { describe, expect, it } from 'vitest';
import { editDistance, maySpell, nearName } from '../../../services/kernel/near-name.ts';

describe('the distance of two names', () => {
  it.each([
    ['', '', 0], ['abc', 'abc', 0], ['abc', '', 3], ['kitten', 'sitting', 3], ['flaw', 'lawn', 2],
    ['when', 'wehn', 1], ['ab', 'ba', 1],
  ])('%j and %j is %i', (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
    expect(editDistance(other, one)).toBe(distance);
  });

  it('is not counted for what no person types', () => {
    expect(editDistance('x'.repeat(64), 'x'.repeat(63))).toBe(1);
    expect(editDistance('x'.repeat(65), 'x'.repeat(64))).toBe(Infinity);
  });
});

describe('the name that is near', () => {
  const known = ['GPS', 'MOBILE', 'harsh_braking', 'harsh_acceleration', 'rtt'];

  it.each([
    ['gps', 'GPS'], ['Mobil', 'MOBILE'], ['harsh_breaking', 'harsh_braking'],
    ['harshBraking', 'harsh_braking'], ['HARSH-BRAKING', 'harsh_braking'], ['RTT', 'rtt'],
  ])('to %s is %s', (sent, near) => {
    expect(nearName(sent, known)).toBe(near);
  });

  it.each(['OPS', 'rt', '', 'locations', 'x'.repeat(10_000)])('to %s is none', (sent) => {
    expect(nearName(sent, known)).toBeUndefined();
  });

  it('is the nearest of several', () => {
    expect(nearName('acme-nigth', ['acme', 'acme-nights', 'acme-night'])).toBe('acme-night');
  });
});

describe('another spelling of a member', () => {
  it.each([
    ['lat', 'latitude'], ['lng', 'longitude'], ['lon', 'longitude'], ['lattitude', 'latitude'],
    ['deviceId', 'device_id'], ['country', 'country_id'], ['plate', 'license_plate'],
    ['access_token', 'token'], ['transport_id', 'transport'],
  ])('is %s for %s', (sent, name) => {
    expect(maySpell(sent, name)).toBe(true);
  });

  it.each([
    ['altitude', 'timestamp'], ['la', 'latitude'], ['lgn', 'longitude'], ['id', 'device_id'],
    ['key', 'name'], ['speed', 'heading'], ['x'.repeat(80), 'latitude'],
  ])('is not %s for %s', (sent, name) => {
    expect(maySpell(sent, name)).toBe(false);
  });
});
