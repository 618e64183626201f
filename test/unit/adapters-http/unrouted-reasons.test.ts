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
  const near = (template: string, advice: string): string => (
    `There is no operation at this path and method. Near to it is ${template}${advice}.`);

  it.each([
    ['a slash at its end', '/shipping/rtt/devices/', AT[0][1], ': leave out the slash at the end'],
    ['two slashes', '//shipping/rtt/devices', AT[0][1], ': write one slash where there are two'],
    ['a version', '/v1/shipping/rtt/devices', AT[0][1], ': leave out the version'],
    ['capitals', '/Shipping/RTT/devices', AT[0][1], ': write it in lower case'],
    ['one character less', '/shipping/rtt/device', AT[0][1], ''],
    ['a wrong word around a parameter', '/shipping/rtt/geo_receiver/acme/location', AT[1][1], ''],
    ['its first part forgotten', '/rtt/devices', AT[0][1], ''],
    ['another part in front', '/api/shipping/rtt/devices', AT[0][1], ''],
    ['its parameter forgotten', '/shipping/rtt/georeceiver/locations', AT[1][1], ''],
    ['two slashes around its parameter', '/shipping/rtt/georeceiver//locations', AT[1][1],
      ': write one slash where there are two'],
  ])('with %s is shown the one that is near', (_what, path, template, advice) => {
    expect(reasonOf('POST', path)).toEqual({
      code: 'route_not_found', detail: near(template, advice),
    });
  });

  it.each([
    ['of another length', '/shipping/rtt'], ['of other words', '/admin/users/list'],
    ['too long to be one', `/shipping/rtt/devices/${'x'.repeat(512)}`], ['that is empty', ''],
    ['that is the root', '/'],
  ])('%s is shown none', (_what, path) => {
    expect(reasonOf('POST', path)).toEqual({
      code: 'route_not_found', detail: 'There is no operation at this path and method.',
    });
  });
});
