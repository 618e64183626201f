import { randomUUID } from 'node:crypto';
import { decodeImage, encodeImage } from '../../../../services/adapters/images/decode.ts';
import { decodeLongImage } from '../../../../services/adapters/images/decode-long.ts';
import { keyedSecrets } from '../../../../services/adapters/secrets/secrets.ts';
import {
  operationsOf, type OperationsPorts,
} from '../../../../services/gateways/assemble-operations.ts';
import { GATEWAY_ROOMS } from '../../../../services/gateways/gateways.ts';
import type { ClientRecorded, Scope } from '../../../../schemas/generated/types.ts';
import type { ProofImages } from '../../../../services/kernel/images.ts';
import { aParty, aTelemetryRequest, placedCommands } from '../../../support/command-facts.ts';
import { openEdge, type Edge } from '../../../support/edge.ts';
import { dryOver } from '../../../support/dry-over.ts';
import { fakeAudits } from '../../../support/fake-audits.ts';
import { fakeDeadLetters } from '../../../support/fake-dead-letters.ts';
import { fakeLive } from '../../../support/fake-live.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../../support/fake-log.ts';
import { fakeDeviceTracks } from '../../../support/fake-device-tracks.ts';
import { aPastFix, fakePastFleet } from '../../../support/fake-past-fleet.ts';
import { fakePersonal } from '../../../support/fake-personal.ts';
import { fakeOverflow } from '../../../support/fake-overflow.ts';
import { fakePipeline } from '../../../support/fake-pipeline.ts';
import { anOutcome, fakeItemOutcomes } from '../../../support/fake-item-outcomes.ts';
import { fakePlatformHistory } from '../../../support/fake-platform-history.ts';
import { aScore, fakeProviderQuality } from '../../../support/fake-provider-quality.ts';
import { fakeShipmentHistory } from '../../../support/fake-shipment-history.ts';
import { openRedisStates, type OpenedRedis } from '../../../support/open-redis-states.ts';
import { aClient, anOffer, aTraceableOffer, newClientId } from '../../../support/state-facts.ts';
import { FREE_TENANTS } from '../../../support/free-tenants.ts';
import {
  AUDIENCES, authorization, registration, tokenCall, type Audience, type Probe, type Tenant,
  type Things,
} from '../../../support/isolation/calls.ts';

const PEPPER = 'pepper-for-tests';
const SCOPES: readonly Scope[] = [
  'rtt:devices', 'rtt:locations', 'rtt:events', 'rtt:commands', 'query:read', 'authorizations',
  'tracking:push', 'tracking:read',
];

/** Two tenants behind the whole HTTP edge, on a real state store that admits them. */
export interface Tenants {
  readonly edge: Edge;
  readonly states: OpenedRedis;
  readonly log: FakeRecordLog;
  readonly a: Tenant;
  readonly b: Tenant;
  /** Lets a sandbox client in, with every right over B's provider and those of the platform. */
  joinSandbox(): Promise<Tenant>;
  /** Makes one of everything for B; each call makes other things. */
  furnish(): Promise<Things>;
  /** Names in the form of B's things, of things that do not exist. */
  missing(): Things;
  /** Calls as a tenant; without one, without a token. */
  call(as: Tenant | undefined, call: Probe): Promise<Response>;
  close(): Promise<void>;
}

const IMAGES: ProofImages = {
  read: decodeImage,
  readLong: decodeLongImage,
  write: encodeImage,
  keep: () => Promise.reject(new Error('no image in these tests')),
  find: async () => undefined,
  erase: async () => undefined,
};

/** Opens the edge with both tenants on one state store. */
export async function openTenants(): Promise<Tenants> {
  const states = await openRedisStates({
    tokenRequestsBurst: 100_000, requestsBurst: 100_000, deviceRequestsBurst: 100_000,
  });
  const log = fakeRecordLog();
  const itemOutcomes = fakeItemOutcomes();
  const pastFleet = fakePastFleet();
  const providerQuality = fakeProviderQuality();
  providerQuality.scores.push(aScore({ provider: 'best', devices: 9_431 }));
  const ports: OperationsPorts = {
    states, log, images: IMAGES, history: fakeShipmentHistory(), itemOutcomes,
    platformHistory: fakePlatformHistory(), pastFleet, deviceTracks: fakeDeviceTracks(),
    providerQuality,
    personal: fakePersonal(states.personalKeys),
    rates: FREE_TENANTS.clientRates, tenants: FREE_TENANTS.tenants,
    live: fakeLive(), deadLetters: fakeDeadLetters(log), pipeline: fakePipeline(),
    audits: fakeAudits(log), overflowSource: fakeOverflow(log),
    over: dryOver(states),
  };
  const edge = await openEdge({
    admission: states.admission,
    operations: operationsOf(GATEWAY_ROOMS, {
      RASTRO_SECRET_PEPPER: PEPPER, RTT_REQUIRE_OPEN_MONITORING: false,
      RASTRO_CARRIER_CLIENT_ID: undefined, RASTRO_CONTRACTS_REQUIRING_AGENCY: [],
      RASTRO_RACE_WAIT_MS_MAX: 2_000,
    }, ports),
  });
  const call: Tenants['call'] = (as, { method, path, audience, body, headers }) => {
    const token = as === undefined || audience === undefined ? undefined : as.tokens[audience];
    const isJson = body !== undefined && !(body instanceof URLSearchParams);
    return fetch(edge.url + path, {
      method,
      headers: {
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
    });
  };

  async function tenant(provider: string, change: Partial<ClientRecorded> = {}): Promise<Tenant> {
    const id = newClientId();
    const secret = `secret-of-${provider}`;
    await states.access.applyClient(aClient({
      client_id: id, providers: [provider], audiences: [...AUDIENCES], scopes: [...SCOPES],
      secrets: [{
        secret_id: 's1', hash: keyedSecrets(PEPPER).hash(secret), created_at_ms: 1_764_000_000_000,
      }],
      ...change,
    }));
    await states.parties.apply(aParty({ party_id: `party-${provider}`, provider }));
    const without = { id, secret, provider } as Tenant;
    const tokens = await Promise.all(AUDIENCES.map(async (audience) =>
      [audience, await tokenOf(call, without, audience)] as const));
    return { ...without, tokens: Object.fromEntries(tokens) as Tenant['tokens'] };
  }

  async function joinSandbox(): Promise<Tenant> {
    const joined = await tenant('best', {
      sandbox: true, audiences: [...AUDIENCES, 'platform'],
      scopes: [...SCOPES, 'platform:read', 'platform:write', 'admin'],
    });
    const platform = await tokenOf(call, joined, 'platform');
    return { ...joined, tokens: { ...joined.tokens, platform } };
  }

  const a = await tenant('acme');
  const b = await tenant('best');
  return {
    edge, states, log, a, b, call, joinSandbox,
    missing: () => ({ ...names(), owner: newClientId(), provider: 'none', token: aTokenText() }),
    furnish: async () => {
      const things = await furnish({ states, call, b });
      itemOutcomes.add(b.id, things.ingest, anOutcome({ received_at_ms: Date.now() }));
      pastFleet.fixes.push(aPastFix({ device_id: things.device, client_id: b.id }));
      return things;
    },
    async close() {
      await edge.close();
      await states.close();
    },
  };
}

async function tokenOf(
  call: Tenants['call'], { id, secret }: Tenant, audience: Audience | 'platform',
): Promise<string> {
  const answer = await call(undefined, tokenCall(id, secret, audience));
  const { access_token } = await answer.json() as { access_token?: string };
  if (access_token === undefined) throw new Error(`no token: ${answer.status}`);
  return access_token;
}

function aTokenText(): string {
  return `00${Buffer.alloc(32, randomUUID()).toString('base64url')}`;
}

/** Each thing has a place of its own, so that no box on the map holds two. */
let latitudes = 0;

function names(): Omit<Things, 'owner' | 'provider' | 'token'> {
  return {
    device: randomUUID(), entity: `truck-${randomUUID()}`,
    transport: 1_000_000_000_000 + Math.floor(Math.random() * 2 ** 40),
    transportOrder: randomUUID(), command: randomUUID(), ingest: randomUUID(),
    request: Buffer.from(randomUUID()).toString('base64'),
    shipment: `RST${randomUUID()}`.toUpperCase(), traceable: randomUUID(),
    party: `party-${randomUUID()}`,
    latitude: (latitudes += 1) / 1_000,
  };
}

/** Through the public endpoint where there is one, so that the things are real. */
async function furnish(
  { states, call, b }: Pick<Tenants, 'states' | 'call' | 'b'>,
): Promise<Things> {
  const named = names();
  const registered = await call(b, registration(named.entity, named.transport));
  const { id: device } = await registered.json() as { id: string };
  await call(b, {
    method: 'POST', audience: 'rtt',
    path: `/shipping/rtt/devices/${device}/start_tracking?country_id=BR`,
  });
  const { transport, traceable, latitude, shipment } = named;
  const place = { client_id: b.id, latitude, longitude: 10.5, provider: b.provider };
  await states.lastFixes.offer([anOffer({ ...place, device_id: device })]);
  await states.traceables.offer([aTraceableOffer({ ...place, traceable_id: traceable })]);
  await states.shipments.authorize(shipment, { carrier_client_id: b.id, at_ms: 1 });
  await states.commands.applyCommands(placedCommands([
    aTelemetryRequest(named.request, transport, {
      command_id: named.command, provider: b.provider, client_id: b.id,
    }),
  ]));
  await call(b, authorization(named.transportOrder));
  const { provider: _, ...carrier } = aParty({ party_id: named.party, kind: 'carrier' });
  await states.parties.apply({ ...carrier, client_id: b.id });
  const token = await tokenOf(call, b, 'rtt');
  return { ...named, device, owner: b.id, provider: b.provider, token };
}
