import { describe, expect, it } from 'vitest';
import { createUnroutedReason } from '../../../services/adapters/http/unrouted-reasons.ts';
import type { Operation } from '../../../services/kernel/http.ts';

const AT = [
  ['POST', '/shipping/rtt/devices'], ['POST', '/shipping/rtt/georeceiver/{provider}/locations'],
  ['POST', '/shipping/rtt/commands'], ['GET', '/shipping/rtt/commands'],
] as const;
const reasonOf = createUnroutedReason(
  AT.map(([method, path]) => ({ method, path }) as unknown as Operation));

describe('a method that a path does not have', () => {
  it.each([
    ['GET', '/shipping/rtt/devices', ['POST']],
    ['PUT', '/shipping/rtt/georeceiver/acme/locations', ['POST']],
    ['DELETE', '/shipping/rtt/commands', ['POST', 'GET', 'HEAD']],
  ])('%s %s is shown those that it has', (method, path, allow) => {
    expect(reasonOf(method, path)).toEqual({
      code: 'method_not_allowed', allow,
      detail: `This path takes ${allow.join(' and ')}, not ${method}.`,
    });
  });

  it('is not repeated when HTTP has no such name', () => {
    expect(reasonOf('<b>x</b>', '/shipping/rtt/devices').detail)
      .toBe('This path takes POST, not this method.');
  });
});

describe('a path that is none', () => {
  const near = (template: string): string => (
    `There is no operation at this path and method. Near to it is ${template}.`);

  it.each([
    ['a slash at its end', '/shipping/rtt/devices/', AT[0][1]],
    ['two slashes', '//shipping/rtt/devices', AT[0][1]],
    ['a version', '/v1/shipping/rtt/devices', AT[0][1]],
    ['capitals', '/Shipping/RTT/devices', AT[0][1]],
    ['one character less', '/shipping/rtt/device', AT[0][1]],
    ['a wrong word around a parameter', '/shipping/rtt/geo_receiver/acme/location', AT[1][1]],
  ])('with %s is shown the one that is near', (_what, path, template) => {
    expect(reasonOf('POST', path)).toEqual({ code: 'route_not_found', detail: near(template) });
  });

  it.each([
    ['of another length', '/shipping/rtt'], ['of other words', '/admin/users/list'],
    ['too long to be one', `/shipping/rtt/devices/${'x'.repeat(512)}`], ['that is empty', ''],
    ['without its parameter', '/shipping/rtt/georeceiver//locations'],
  ])('%s is shown none', (_what, path) => {
    expect(reasonOf('POST', path)).toEqual({
      code: 'route_not_found', detail: 'There is no operation at this path and method.',
    });
  });
});
