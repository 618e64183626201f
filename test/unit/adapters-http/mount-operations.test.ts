import { describe, expect, it } from 'vitest';
import { createRouter } from '../../../services/adapters/http/create-router.ts';
import { mountOperations } from '../../../services/adapters/http/mount-operations.ts';
import type { HttpPorts } from '../../../services/adapters/http/ports.ts';
import { skippedLayers } from '../../../services/adapters/http/skipped-layers.ts';
import { compileSchemas } from '../../../services/adapters/schema/compile.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { FREE_TENANTS } from '../../support/free-tenants.ts';

const GOOD: Operation = {
  id: 'sample', method: 'POST', path: '/sample/{name}', authentication: 'bearer', audience: 'rtt',
  scope: 'rtt:locations', bodyKind: 'json', bodySchema: 'Sample', bodyBytesMax: 100,
  needsCountry: false, errors: problemErrors,
  handle: async () => ({ kind: 'answer', status: 200, body: {} }),
};
const PORTS = {
  schemas: compileSchemas((title) => (title === 'Sample' ? { type: 'object' } : undefined)),
} as unknown as HttpPorts;
const CONFIG = {
  countries: new Map<string, string>(),
  requestDeadlineMs: 1, admissionFreshMs: 1, overdueGraceMs: 1,
  bodyBytesInFlightMax: 1, discardedBytesMax: 1, bodyDepthMax: 1,
  streamRecheckMs: 1, streamUncheckedMsMax: 1, faultRetryAfterSecondsMax: 1,
  trustedProxies: [] as readonly string[],
  refusalsPerSecond: 1, refusalsBurst: 1, refusalHoldMsMax: 1, refusalsHeldMax: 1,
  clientCallsMax: 1, activeMs: 1, parkedMsMax: 1, parkedMax: 1,
  badTokensPerMinute: 1, badTokensBurst: 1, ...FREE_TENANTS,
  largeBodyBytesMin: 262_144, restRatio: 3, restMsMax: 100,
};

function mount(...changes: Partial<Record<keyof Operation, unknown>>[]): void {
  const operations = changes.map((change) => {
    const operation = { ...GOOD, ...change };
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) delete operation[name as keyof Operation];
    }
    return operation as Operation;
  });
  mountOperations(operations, PORTS, CONFIG);
}

describe('mounting operations', () => {
  it.each([
    [{ authentication: undefined }, 'does not say how its caller is authenticated'],
    [{ authentication: 'cookie' }, 'does not say how its caller is authenticated'],
    [{ audience: undefined }, 'names no audience and scope'],
    [{ scope: undefined }, 'names no audience and scope'],
    [{ scope: '' }, 'names no audience and scope'],
    [{ bodySchema: undefined }, 'names no body schema'],
    [{ bodySchema: 'Other' }, 'no schema with the title Other'],
    [{ bodyBytesMax: Number.NaN }, 'has no limit'],
    [{ bodyBytesMax: 0 }, 'has no limit'],
    [{ path: '/a/*rest' }, 'path that is not plain'],
    [{ path: '/a/:name(.*)' }, 'path that is not plain'],
    [{ path: 'a' }, 'path that is not plain'],
  ])('refuses one with %j', (change, fault) => {
    expect(() => mount(change)).toThrow(fault);
  });

  it('takes a parameter in either spelling, but no place twice', () => {
    expect(() => mount({}, { path: '/other/:name' })).not.toThrow();
    expect(() => mount({}, { path: '/sample/:other' })).toThrow('Two operations');
    expect(() => mount({}, { method: 'GET' })).not.toThrow();
  });

  it('takes operations whose callers prove themselves otherwise', () => {
    expect(() => mount({ authentication: 'basic', audience: undefined, scope: undefined }))
      .not.toThrow();
  });
});

describe('requests that do not go through Express', () => {
  const router = (): ReturnType<typeof createRouter> => (
    createRouter([GOOD], async () => undefined, PORTS, CONFIG)
  );

  it('miss nothing of the router', () => {
    expect(skippedLayers(router())).toEqual([]);
  });

  it('would miss middleware that a developer adds, which is refused at boot', () => {
    const withMiddleware = router();
    withMiddleware.use(function audit(_request, _response, next) { next(); });
    expect(skippedLayers(withMiddleware)).toEqual(['audit']);
    const withTwoHandlers = router();
    withTwoHandlers.post('/two', (_request, _response, next) => { next(); }, () => undefined);
    expect(skippedLayers(withTwoHandlers)).toHaveLength(1);
  });
});
