import { Worker } from 'node:worker_threads';
import { mountOperations } from '../../../services/adapters/http/mount-operations.ts';
import { openServer, type HttpServer } from '../../../services/adapters/http/server/open-server.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { createSignals } from '../../../services/adapters/signals/signals.ts';
import { createIds, systemClock } from '../../../services/adapters/system/system.ts';
import { createAuthorizeCaller } from '../../../services/domain/access/authorize.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import { sendLocations } from '../../../services/gateways/georeceiver/operations/send-locations.ts';
import type { ScanBody } from '../../../services/kernel/body-scanner.ts';
import { GOOD_FACTS, openLocationScanner } from '../../support/edge.ts';
import { bodiesOf } from './bodies.ts';
import { measureBoth, type Cost } from './rounds.ts';
import { FREE_TENANTS, freeTenantLimits } from '../../support/free-tenants.ts';

const POSTS_PER_ROUND = 200;

/**
 * What a whole post costs the gateway's thread over HTTP, with an admission that always says yes
 * and a log that takes everything at once. The caller runs on a thread of its own.
 */
export async function measurePosts(locations: number): Promise<Cost> {
  const bodies = bodiesOf(locations);
  const [scanning, exact] = [await openGateway(openLocationScanner()), await openGateway()];
  const caller = new Worker(new URL('./caller.ts', import.meta.url));
  let onError: (error: Error) => void = () => undefined;
  caller.on('error', (error: Error) => onError(error));
  const postTo = ({ url }: HttpServer) => (): Promise<number> => new Promise((resolve, reject) => {
    onError = reject;
    caller.once('message', (accepted: number) => {
      if (accepted === POSTS_PER_ROUND) resolve(accepted);
      else reject(new Error(`Only ${accepted} of ${POSTS_PER_ROUND} posts were accepted.`));
    });
    caller.postMessage({ url, bodies, posts: POSTS_PER_ROUND });
  });
  try {
    return await measureBoth(bodies[0]?.length ?? 0, postTo(scanning), postTo(exact));
  } finally {
    await Promise.all([caller.terminate(), scanning.close(0), exact.close(0)]);
  }
}

function openGateway(scan?: ScanBody): Promise<HttpServer> {
  const ids = createIds(systemClock);
  const signals = createSignals({ service: 'scan-cost', level: 'error', measuresProcess: false });
  const log = { append: () => Promise.resolve() };
  const app = mountOperations([sendLocations({ log, ids }, scan)], {
    clock: systemClock, ids, signals, admission: { read: () => Promise.resolve(GOOD_FACTS) },
    tenantLimits: freeTenantLimits,
    authorize: createAuthorizeCaller({ clientIdRequired: false }), schemas: loadSchemas(),
    errors: problemErrors, random: Math.random,
  }, {
    countries: new Map([['BR', 'BR']]), requestDeadlineMs: 10_000, admissionFreshMs: 10_000,
    overdueGraceMs: 500, bodyBytesInFlightMax: 268_435_456, discardedBytesMax: 8_388_608,
    bodyDepthMax: 20, streamRecheckMs: 15_000, streamUncheckedMsMax: 60_000,
    trustedProxies: [], faultRetryAfterSecondsMax: 5,
    refusalsPerSecond: 1, refusalsBurst: 1, refusalHoldMsMax: 1, refusalsHeldMax: 1,
    clientCallsMax: 1, activeMs: 1, parkedMsMax: 1, parkedMax: 1,
    badTokensPerMinute: 1, badTokensBurst: 1, ...FREE_TENANTS,
    largeBodyBytesMin: 262_144, restRatio: 3, restMsMax: 100,
  });
  return openServer({
    host: '127.0.0.1', port: 0, headersTimeoutMs: 10_000, requestTimeoutMs: 30_000,
    keepAliveTimeoutMs: 65_000, headerBytesMax: 8_192, connectionsMax: 200,
    connectionsPerAddressMax: 200, trustedProxies: [],
  }, { errors: problemErrors, ids, signals }, app);
}
