import { createRouter } from '../../services/adapters/http/create-router.ts';
import { loadSchemas } from '../../services/adapters/schema/load-schemas.ts';
import { createIds } from '../../services/adapters/system/system.ts';
import {
  operationsOf, type OperationsPorts,
} from '../../services/gateways/assemble-operations.ts';
import { GATEWAY_ROOMS } from '../../services/gateways/gateways.ts';
import { createAuthorizeCaller } from '../../services/domain/access/authorize.ts';
import { problemErrors } from '../../services/gateways/common/problem.ts';
import type { Operation } from '../../services/kernel/http.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { fakeDeadLetters } from './fake-dead-letters.ts';
import { fakeLive } from './fake-live.ts';
import { fakeRecordLog } from './fake-log.ts';
import { fakeOverflow } from './fake-overflow.ts';
import { fakePipeline } from './fake-pipeline.ts';
import { fakeStates } from './fake-states.ts';
import { wallClock } from './kafka-logs.ts';
import { FREE_TENANTS, freeTenantLimits } from './free-tenants.ts';

/** Every operation of every room of the gateways, over a store and a log in memory. */
export function everyOperation(): readonly Operation[] {
  // Operations only keep their ports when they are made; nothing here calls those left out.
  const ports = {
    states: fakeStates(), log: fakeRecordLog(), live: fakeLive(),
    deadLetters: fakeDeadLetters(fakeRecordLog()), pipeline: fakePipeline(),
    overflowSource: fakeOverflow(fakeRecordLog()),
  } as unknown as OperationsPorts;
  return operationsOf(GATEWAY_ROOMS, {
    RASTRO_SECRET_PEPPER: 'pepper-for-tests', RTT_REQUIRE_OPEN_MONITORING: true,
    RASTRO_CARRIER_CLIENT_ID: undefined, RASTRO_CONTRACTS_REQUIRING_AGENCY: [],
    RASTRO_RACE_WAIT_MS_MAX: 2_000,
  }, ports);
}

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** `METHOD /path/{parameter}` of every route that the router of the gateways has. */
export function everyRoute(): readonly string[] {
  const app = createRouter(everyOperation(), () => Promise.resolve(), {
    clock: wallClock, ids: createIds(wallClock), signals: silentSignals,
    admission: { read: () => Promise.reject(new Error('not called')) },
    tenantLimits: freeTenantLimits,
    authorize: createAuthorizeCaller({ clientIdRequired: false }), schemas: loadSchemas(),
    errors: problemErrors, random: Math.random,
  }, {
    countries: new Map(), requestDeadlineMs: 1, admissionFreshMs: 1, overdueGraceMs: 1,
    bodyBytesInFlightMax: 1, discardedBytesMax: 1, bodyDepthMax: 20, streamRecheckMs: 1,
    streamUncheckedMsMax: 1, faultRetryAfterSecondsMax: 1,
    trustedProxies: [],
    refusalsPerSecond: 1, refusalsBurst: 1, refusalHoldMsMax: 1, refusalsHeldMax: 1,
    clientCallsMax: 1, activeMs: 1, parkedMsMax: 1, parkedMax: 1,
    badTokensPerMinute: 1, badTokensBurst: 1, ...FREE_TENANTS,
    largeBodyBytesMin: 262_144, restRatio: 3, restMsMax: 100,
  });
  const { stack } = (app as unknown as { router: { stack: readonly Layer[] } }).router;
  return stack.flatMap(({ route }) => {
    const path = route?.path.replaceAll(/:([a-z_]+)/g, '{$1}') ?? '';
    return Object.keys(route?.methods ?? {}).map((method) => `${method.toUpperCase()} ${path}`);
  });
}
