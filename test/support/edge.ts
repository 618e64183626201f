import { connect } from 'node:net';
import { loadSchemas } from '../../services/adapters/schema/load-schemas.ts';
import { mountOperations } from '../../services/adapters/http/mount-operations.ts';
import type { HttpConfig } from '../../services/adapters/http/ports.ts';
import { openServer, type ServerConfig } from '../../services/adapters/http/server/open-server.ts';
import { openScanner } from '../../services/adapters/scanner/open-scanner.ts';
import { createSignals } from '../../services/adapters/signals/signals.ts';
import { createIds, systemClock } from '../../services/adapters/system/system.ts';
import { createAuthorizeCaller } from '../../services/domain/access/authorize.ts';
import { problemErrors } from '../../services/gateways/common/problem.ts';
import { sendLocations } from '../../services/gateways/georeceiver/operations/send-locations.ts';
import { countriesOf } from '../../services/adapters/config/countries.ts';
import type {
  AdmissionFacts, AdmissionReader, AdmissionRequest,
} from '../../services/kernel/admission.ts';
import type { ScanBody } from '../../services/kernel/body-scanner.ts';
import type { Clock } from '../../services/kernel/clock.ts';
import type { Operation } from '../../services/kernel/http.ts';
import type { Pages } from '../../services/kernel/pages.ts';
import type { RefusedCalls } from '../../services/kernel/refusals.ts';
import type { TakenCalls } from '../../services/kernel/taken-calls.ts';
import type { Schemas } from '../../services/kernel/schemas.ts';
import type { TenantLimits } from '../../services/kernel/tenant-limits.ts';
import type { Tracer } from '../../services/kernel/tracing.ts';
import { traceAppends } from '../../services/adapters/tracing/trace-way.ts';
import { fakeRecordLog, type FakeRecordLog } from './fake-log.ts';
import { FREE_TENANTS, freeTenantLimits } from './free-tenants.ts';
import { strayRefusals } from './stray-refusals.ts';

/** Any token of the right form; what it opens is what `facts` say. */
export const EDGE_TOKEN = `00${'t'.repeat(43)}`;

/** Facts of a caller who may send for a device that is tracked. */
export const GOOD_FACTS: AdmissionFacts = {
  caller: {
    clientId: '100000000000042', userId: 'user-42', audience: 'rtt',
    scopes: ['rtt:locations'], providers: ['acme'],
  },
  device: { epoch: 2, transportId: '77' },
  quota: { of: 'client', allowed: true, limit: 400, remaining: 399, resetSeconds: 1 },
};

/** What a test wants other than usual. */
export interface EdgeWishes {
  readonly operations?: readonly Operation[];
  readonly http?: Partial<HttpConfig>;
  readonly server?: Partial<ServerConfig>;
  readonly admission?: AdmissionReader;
  readonly tenantLimits?: TenantLimits;
  readonly clock?: Clock;
  readonly clientIdRequired?: boolean;
  readonly tracer?: Tracer;
  readonly refusedCalls?: RefusedCalls;
  readonly takenCalls?: TakenCalls;
  readonly pages?: Pages;
  /** False when bodies of locations go the exact way only. */
  readonly scans?: boolean;
}

/** The HTTP edge on a free port: everything real but the log and the state store. */
export interface Edge {
  readonly url: string;
  readonly port: number;
  readonly log: FakeRecordLog;
  /** What admission was asked, in order. */
  readonly asked: readonly AdmissionRequest[];
  /** Lines that the edge wrote. */
  readonly lines: readonly string[];
  /** Sets what admission answers from now on. */
  admit(facts: AdmissionFacts): void;
  /** Posts to the locations endpoint as the good caller, with headers added or (`null`) taken. */
  post(body: string | Buffer | null, wishes?: PostWishes): Promise<Response>;
  /** Writes bytes on a line of its own and reads until the other side ends it. */
  raw(bytes: string | Buffer): Promise<string>;
  metrics(): Promise<string>;
  announceClose(): void;
  close(drainMsMax?: number): Promise<void>;
}

/** What one post has other than usual. */
export interface PostWishes {
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly path?: string;
  readonly method?: string;
}

const PATH = '/shipping/rtt/georeceiver/acme/locations?country_id=BR';
const ISO_SAMPLE = ['AR', 'BR', 'DE', 'US'];

/** Compiled once for all edges of a file: it takes a second, and nothing changes it. */
let schemas: Schemas | undefined;
let scanner: ScanBody | undefined;

/** Both ways that a body of locations may go; what holds on the one holds on the other. */
export const BODY_WAYS = [
  ['scanned', { scans: true }], ['read exactly', { scans: false }],
] as const satisfies readonly (readonly [string, EdgeWishes])[];

/**
 * Opens an edge; the test closes it, and fails then when a stage gave a code that is not its own.
 */
export async function openEdge(wishes: EdgeWishes = {}): Promise<Edge> {
  const log = fakeRecordLog();
  const asked: AdmissionRequest[] = [];
  const lines: string[] = [];
  let facts = GOOD_FACTS;
  const clock = wishes.clock ?? systemClock;
  const ids = createIds(clock);
  const signals = createSignals({
    service: 'edge', level: 'debug', measuresProcess: false,
    stream: { write: (line) => { lines.push(line); } },
  });
  const admission: AdmissionReader = wishes.admission ?? {
    read: async (request) => {
      asked.push(request);
      return request.deviceId === undefined ? { ...facts, device: undefined } : facts;
    },
  };
  const scan = wishes.scans === false ? undefined : scanner ??= openLocationScanner();
  const traced = traceAppends(log, wishes.tracer);
  const app = mountOperations(wishes.operations ?? [sendLocations({ log: traced, ids }, scan)], {
    clock, ids, signals, admission, tracer: wishes.tracer, refusedCalls: wishes.refusedCalls,
    takenCalls: wishes.takenCalls,
    tenantLimits: wishes.tenantLimits ?? freeTenantLimits,
    authorize: createAuthorizeCaller({ clientIdRequired: wishes.clientIdRequired ?? false }),
    schemas: schemas ??= loadSchemas(), errors: problemErrors, random: Math.random,
    pages: wishes.pages,
  }, {
    countries: countriesOf(ISO_SAMPLE), requestDeadlineMs: 5_000, admissionFreshMs: 5_000,
    overdueGraceMs: 500, bodyBytesInFlightMax: 268_435_456, discardedBytesMax: 8_388_608,
    bodyDepthMax: 20, streamRecheckMs: 15_000, streamUncheckedMsMax: 60_000,
    trustedProxies: [], faultRetryAfterSecondsMax: 5,
    refusalsPerSecond: 20, refusalsBurst: 50, refusalHoldMsMax: 2_000, refusalsHeldMax: 100,
    clientCallsMax: 64, activeMs: 1_000, parkedMsMax: 2_000, parkedMax: 100,
    badTokensPerMinute: 600, badTokensBurst: 600,
    ...FREE_TENANTS,
    largeBodyBytesMin: 262_144, restRatio: 3, restMsMax: 100,
    ...wishes.http,
  });
  const server = await openServer({
    host: '127.0.0.1', port: 0, headersTimeoutMs: 2_000, requestTimeoutMs: 5_000,
    keepAliveTimeoutMs: 5_000, headerBytesMax: 8_192, connectionsMax: 200,
    connectionsPerAddressMax: 200, trustedProxies: [], ...wishes.server,
  }, { errors: problemErrors, ids, signals }, app);

  return {
    url: server.url,
    port: server.port,
    log, asked, lines,
    admit: (next) => { facts = next; },
    post: (body, { headers = {}, path = PATH, method = 'POST' } = {}) => {
      const all: Record<string, string | null> = {
        authorization: `Bearer ${EDGE_TOKEN}`, 'content-type': 'application/json', ...headers,
      };
      const sent = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null);
      return fetch(server.url + path, {
        method, body: body as string | null, headers: Object.fromEntries(sent),
      });
    },
    raw: (bytes) => exchange(server.port, bytes),
    metrics: async () => (await signals.metrics()).text,
    announceClose: () => { server.announceClose(); },
    close: async (drainMsMax = 0) => {
      await server.close(drainMsMax);
      const strays = strayRefusals(lines);
      if (strays.length > 0) throw new Error(strays.join('\n'));
    },
  };
}

/** The scanner as the gateways open it. */
export function openLocationScanner(): ScanBody {
  return openScanner('LocationsBody', { text: 'device_id', list: 'locations' });
}

function exchange(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => { answer += chunk.toString('latin1'); });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

/** A body with so many good locations. */
export function locationsBody(locations = 1): {
  device_id: string; post_timestamp: number; locations: Record<string, unknown>[];
} {
  return {
    device_id: 'device-1',
    post_timestamp: 1_764_000_005,
    locations: Array.from({ length: locations }, (_, at) => ({
      timestamp: 1_764_000_000 + at, country_id: 'BR', latitude: -23.55052, longitude: -46.633308,
    })),
  };
}

/** The answer of an error, read. */
export async function problemOf(response: Response): Promise<{
  status: number; code: string; detail: string; message: string; request_id: string;
  errors: { pointer: string; code: string; message: string }[];
}> {
  return await response.json() as Awaited<ReturnType<typeof problemOf>>;
}
