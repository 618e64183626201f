import { OPERATIONS } from '../../schemas/generated/catalog.ts';
import { decodeImage, encodeImage } from '../../services/adapters/images/decode.ts';
import { decodeLongImage } from '../../services/adapters/images/decode-long.ts';
import { keyedSecrets } from '../../services/adapters/secrets/secrets.ts';
import {
  operationsOf, type OperationsConfig, type OperationsPorts,
} from '../../services/gateways/assemble-operations.ts';
import { GATEWAY_ROOMS } from '../../services/gateways/gateways.ts';
import type { AdmissionFacts } from '../../services/kernel/admission.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';
import type { ProofImages } from '../../services/kernel/images.ts';
import { EDGE_TOKEN, GOOD_FACTS, openEdge, type Edge } from './edge.ts';
import { exampleCall, type ExampleWishes } from './documented-answers.ts';
import { fakeAudits, type FakeAudits } from './fake-audits.ts';
import { fakeDeadLetters, type FakeDeadLetters } from './fake-dead-letters.ts';
import { fakeLive } from './fake-live.ts';
import { fakeItemOutcomes, type FakeItemOutcomes } from './fake-item-outcomes.ts';
import { fakeDeviceTracks, type FakeDeviceTracks } from './fake-device-tracks.ts';
import { fakePlatformHistory, type FakePlatformHistory } from './fake-platform-history.ts';
import { fakeProviderQuality, type FakeProviderQuality } from './fake-provider-quality.ts';
import { fakeRecordLog, type FakeRecordLog } from './fake-log.ts';
import { dryOver } from './dry-over.ts';
import { fakePipeline, type FakePipeline } from './fake-pipeline.ts';
import { fakeOverflow, type FakeOverflow } from './fake-overflow.ts';
import { fakePastFleet, type FakePastFleet } from './fake-past-fleet.ts';
import { fakePersonal } from './fake-personal.ts';
import { fakeShipmentHistory, type FakeShipmentHistory } from './fake-shipment-history.ts';
import { fakeStates, type FakeStates } from './fake-states.ts';
import { memoryOver, type memoryShipments, type MemoryStates } from './memory-states.ts';
import { FREE_TENANTS } from './free-tenants.ts';

/** The client of every call: the one that the examples of the document name. */
export const CALLER = '100000000000042';

/** Secret of {@link CALLER}, where a call proves itself by it. */
export const CALLER_SECRET = 'secret-of-the-caller';

/** What a call has besides what the document shows. */
export interface WholeWishes extends ExampleWishes {
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Text behind the query. */
  readonly more?: string;
}

/** Every room of the gateways behind one real HTTP edge, over stores and a log in memory. */
export interface WholeEdge {
  readonly edge: Edge;
  readonly states: FakeStates;
  readonly commands: MemoryStates;
  readonly shipments: ReturnType<typeof memoryShipments>;
  readonly history: FakeShipmentHistory;
  readonly itemOutcomes: FakeItemOutcomes;
  readonly platformHistory: FakePlatformHistory;
  readonly pastFleet: FakePastFleet;
  readonly deviceTracks: FakeDeviceTracks;
  readonly providerQuality: FakeProviderQuality;
  readonly log: FakeRecordLog;
  readonly deadLetters: FakeDeadLetters;
  readonly pipeline: FakePipeline;
  readonly audits: FakeAudits;
  readonly overflowSource: FakeOverflow;
  /** Facts of the caller of an operation from now on, as its catalog row asks, with changes. */
  admit(id: string, change?: Partial<AdmissionFacts>): void;
  /** From now on admission fails, as if the state store were away. */
  loseStore(): void;
  /** Calls an operation as the document shows it. */
  call(id: string, wishes?: WholeWishes): Promise<Response>;
  close(): Promise<void>;
}

const PEPPER = 'pepper-for-tests';

const IMAGES: ProofImages = {
  read: decodeImage,
  readLong: decodeLongImage,
  write: encodeImage,
  keep: () => Promise.reject(new Unavailable('images_unavailable', 'append', 'none in this test')),
  find: async () => undefined,
  erase: async () => undefined,
};

/** What a test puts in the place of some parts, or around them. */
export type ChangeParts = (parts: OperationsPorts) => OperationsPorts;

/**
 * Opens it with an active {@link CALLER}; `http` changes settings of the edge, `change` its parts,
 * `settings` those of the operations.
 */
export async function openWholeEdge(
  http: Parameters<typeof openEdge>[0] = {}, change: ChangeParts = (parts) => parts,
  settings: Partial<OperationsConfig> = {},
): Promise<WholeEdge> {
  const states = fakeStates({ tokenRequestsBurst: 1 });
  const commands = memoryOver(states);
  const shipments = { ...commands, ...states.shipments };
  const history = fakeShipmentHistory();
  const itemOutcomes = fakeItemOutcomes();
  const platformHistory = fakePlatformHistory();
  const pastFleet = fakePastFleet();
  const deviceTracks = fakeDeviceTracks();
  const providerQuality = fakeProviderQuality();
  const log = fakeRecordLog();
  const deadLetters = fakeDeadLetters(log);
  const pipeline = fakePipeline();
  const audits = fakeAudits(log);
  const overflowSource = fakeOverflow(log);
  await states.access.applyClient({
    type: 'ClientRecorded', client_id: CALLER, user_id: '7', name: 'Acme', providers: ['acme'],
    audiences: ['rtt', 'revoke'], scopes: ['rtt:devices'], status: 'active', version: 1, at_ms: 0,
    secrets: [{
      secret_id: 's1', hash: keyedSecrets(PEPPER).hash(CALLER_SECRET), created_at_ms: 0,
    }],
  });
  const ports = {
    states, log, deadLetters, pipeline, audits, overflowSource,
    images: IMAGES, history, itemOutcomes, platformHistory, pastFleet, deviceTracks,
    providerQuality,
    // Its keys have a log of their own, as tests count what calls append.
    personal: fakePersonal(states.personalKeys),
    rates: FREE_TENANTS.clientRates, tenants: FREE_TENANTS.tenants, live: fakeLive(),
    over: dryOver(states),
  };
  let facts: AdmissionFacts = GOOD_FACTS;
  let isLost = false;
  const edge = await openEdge({
    operations: operationsOf(GATEWAY_ROOMS, {
      RASTRO_SECRET_PEPPER: PEPPER, RTT_REQUIRE_OPEN_MONITORING: false,
      RASTRO_CARRIER_CLIENT_ID: undefined, RASTRO_CONTRACTS_REQUIRING_AGENCY: [],
      RASTRO_RACE_WAIT_MS_MAX: 2_000, ...settings,
    }, change(ports as unknown as OperationsPorts)),
    admission: {
      read: async () => {
        if (isLost) throw new Unavailable('state_unavailable', 'admit', 'as the test asked');
        return facts;
      },
    },
    ...http,
  });
  return {
    edge, states, commands, shipments, history, itemOutcomes, platformHistory, pastFleet,
    deviceTracks, providerQuality, log, deadLetters, pipeline, audits,
    overflowSource,
    admit(id, change = {}) {
      const { audience, scope } = OPERATIONS[id as keyof typeof OPERATIONS];
      const caller = {
        clientId: CALLER, userId: '7', audience: audience ?? '', scopes: scope ? [scope] : [],
        providers: ['acme'],
      };
      facts = { ...GOOD_FACTS, caller, ...change };
    },
    loseStore() { isLost = true; },
    call(id, { headers = {}, more = '', ...wishes } = {}) {
      const { method, path, contentType, body } = exampleCall(id, wishes);
      const all: Record<string, string | null> = {
        authorization: `Bearer ${EDGE_TOKEN}`, 'content-type': contentType ?? null, ...headers,
      };
      const sent = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null);
      return fetch(edge.url + path + more, {
        method, headers: Object.fromEntries(sent),
        ...(body === undefined ? {} : { body: textOf(body, contentType) }),
      });
    },
    close: () => edge.close(),
  };
}

function textOf(body: unknown, contentType: string | undefined): string {
  if (typeof body === 'string') return body;
  return contentType === 'application/json'
    ? JSON.stringify(body)
    : new URLSearchParams(body as Record<string, string>).toString();
}
