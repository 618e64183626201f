import { randomUUID } from 'node:crypto';
import { decodeImage } from '../../services/adapters/images/decode.ts';
import { decodeLongImage } from '../../services/adapters/images/decode-long.ts';
import { namesOfInterface } from '../../services/adapters/schema/names-in.ts';
import { keyedSecrets, sha256 } from '../../services/adapters/secrets/secrets.ts';
import { openConsole } from '../../services/adapters/console/open-console.ts';
import { systemClock, systemPause } from '../../services/adapters/system/system.ts';
import { consoleCommand } from '../../services/cli/console/command.ts';
import type { OperatorPorts } from '../../services/cli/ports.ts';
import { entityHashOf } from '../../services/domain/device/device-id.ts';
import { consoleOperations } from '../../services/gateways/assemble-console.ts';
import { operationsOf, type OperationsPorts } from '../../services/gateways/assemble-operations.ts';
import {
  createRefusedCalls, REFUSED_CALLS_LIMITS,
} from '../../services/gateways/common/refused-calls.ts';
import { createTakenCalls, TAKEN_CALLS_LIMITS } from '../../services/gateways/common/taken-calls.ts';
import { createConsolePages } from '../../services/gateways/console/find-console.ts';
import { GATEWAY_ROOMS } from '../../services/gateways/gateways.ts';
import { FIX_TOPICS } from '../../services/gateways/live/fixes/apply-records.ts';
import { createFixFeed } from '../../services/gateways/live/fixes/fix-feed.ts';
import { LIVE_LIMITS } from '../../services/gateways/live/limits.ts';
import type { ClientRecorded, TokenIssued } from '../../services/kernel/access.ts';
import type { MapFile } from '../../services/kernel/pages.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { TOPICS } from '../../schemas/generated/catalog.ts';
import { dryOver } from '../support/dry-over.ts';
import { openEdge, type Edge } from '../support/edge.ts';
import { aLogRecord } from '../support/fake-log-reader.ts';
import { fakeAudits, type FakeAudits } from '../support/fake-audits.ts';
import { fakeDeadLetters, type FakeDeadLetters } from '../support/fake-dead-letters.ts';
import { fakeDeviceTracks, type FakeDeviceTracks } from '../support/fake-device-tracks.ts';
import { fakeOverflow, type FakeOverflow } from '../support/fake-overflow.ts';
import { fakePastFleet, type FakePastFleet } from '../support/fake-past-fleet.ts';
import { fakeItemOutcomes, type FakeItemOutcomes } from '../support/fake-item-outcomes.ts';
import { fakePlatformHistory, type FakePlatformHistory } from '../support/fake-platform-history.ts';
import {
  fakeProviderQuality, type FakeProviderQuality,
} from '../support/fake-provider-quality.ts';
import { fakeRecordLog, type FakeRecordLog } from '../support/fake-log.ts';
import { fakePersonal } from '../support/fake-personal.ts';
import { fakePipeline, type FakePipeline } from '../support/fake-pipeline.ts';
import { fakeShipmentHistory, type FakeShipmentHistory } from '../support/fake-shipment-history.ts';
import { fakeStates, type FakeStates } from '../support/fake-states.ts';
import { fakeWatchedLog } from '../support/fake-watched-log.ts';
import { FREE_TENANTS } from '../support/free-tenants.ts';
import { cursorAt, logRecord, OPEN_SEALS, seedOf } from '../support/live-feeds.ts';
import { aRegistration, placed, startOf } from '../support/state-facts.ts';
import { OPERATION_SETTINGS } from '../support/operation-settings.ts';

/** A device and where it is now. */
export interface Moved {
  readonly client: ClientRecorded;
  readonly device: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly ageSeconds?: number;
}

/** All gateways behind one real HTTP edge, over stores and a log in memory. */
export interface MemoryPlatform {
  readonly edge: Edge;
  /** What the gateways know now; a worker of a test may serve it. */
  readonly states: FakeStates;
  readonly pastFleet: FakePastFleet;
  readonly deviceTracks: FakeDeviceTracks;
  readonly itemOutcomes: FakeItemOutcomes;
  readonly providerQuality: FakeProviderQuality;
  readonly history: FakeShipmentHistory;
  readonly platformHistory: FakePlatformHistory;
  readonly log: FakeRecordLog;
  readonly deadLetters: FakeDeadLetters;
  readonly pipeline: FakePipeline;
  readonly audits: FakeAudits;
  readonly overflowSource: FakeOverflow;
  addClient(change?: Partial<ClientRecorded>): Promise<ClientRecorded>;
  /** Registers and starts a device of a client, under a name; gives its id. */
  addDevice(client: ClientRecorded, entityId?: string): Promise<string>;
  /** What the live feed shows from the next update on. */
  move(moved: Moved): void;
  stop(client: ClientRecorded, device: string): void;
  /** What `rastro overflow add` and `rm` decide of a device. */
  overflow(device: string, state: 'in' | 'out'): void;
  /** `rastro console link` with these words. */
  link(...words: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** What the secrets of clients are hashed with. */
export const { RASTRO_SECRET_PEPPER: PEPPER } = OPERATION_SETTINGS;
const UPDATE_MS = 50;
const GATHER_MS = 20;

/** Opens it, with a map of the operator where one is given; the test closes it. */
export async function openMemoryPlatform(map?: MapFile): Promise<MemoryPlatform> {
  const states = fakeStates();
  const log = fakeRecordLog();
  const pastFleet = fakePastFleet();
  const deviceTracks = fakeDeviceTracks();
  const deadLetters = fakeDeadLetters(log);
  const itemOutcomes = fakeItemOutcomes();
  const providerQuality = fakeProviderQuality();
  const history = fakeShipmentHistory();
  const platformHistory = fakePlatformHistory();
  const takenCalls = createTakenCalls({ ...TAKEN_CALLS_LIMITS, gatherMs: GATHER_MS }, {
    store: states.taken, pause: systemPause,
  });
  const names = namesOfInterface();
  const refusedCalls = createRefusedCalls({ ...REFUSED_CALLS_LIMITS, gatherMs: GATHER_MS }, {
    store: states.refusals, pause: systemPause, signals: silentSignals,
    isKnownName: (name) => names.has(name),
  });
  const pipeline = fakePipeline();
  const audits = fakeAudits(log);
  const overflowSource = fakeOverflow(log);
  const fixes = createFixFeed(LIVE_LIMITS, {
    clock: systemClock, seals: OPEN_SEALS, signals: silentSignals,
  });
  fixes.begin(cursorAt(FIX_TOPICS), seedOf());
  const updates = setInterval(() => { fixes.tick(); }, UPDATE_MS);
  const live = {
    fixes, facts: { join: () => () => undefined }, wake: () => Promise.resolve(),
    refuses: () => undefined,
    admit: () => () => undefined,
  };
  const ports = {
    states, log, live, pastFleet, deviceTracks, deadLetters, itemOutcomes, takenCalls,
    providerQuality, pipeline, audits, overflowSource, over: dryOver(states),
    history, platformHistory, images: { read: decodeImage, readLong: decodeLongImage },
    personal: fakePersonal(states.personalKeys),
    rates: FREE_TENANTS.clientRates, tenants: FREE_TENANTS.tenants,
  } as unknown as OperationsPorts;
  const edge = await openEdge({
    admission: states.admission, takenCalls, refusedCalls,
    pages: createConsolePages(openConsole(map)),
    operations: [
      ...operationsOf(GATEWAY_ROOMS, OPERATION_SETTINGS, ports),
      ...consoleOperations(['BR'], { states, log }),
    ],
  });
  let offset = 0;
  let made = 0;
  const known = new Set<string>();

  /** What the projector does. */
  async function project(): Promise<void> {
    for (const { value } of log.of(TOPICS.clients.name)) {
      const client = value as ClientRecorded;
      if (known.has(client.client_id)) continue;
      known.add(client.client_id);
      await states.access.applyClient(client);
    }
    const tokens = log.of(TOPICS.tokens.name).map(({ value }) => value as TokenIssued);
    await states.access.applyTokens(tokens);
  }

  return {
    edge, states, pastFleet, deviceTracks, log, deadLetters, itemOutcomes, providerQuality,
    history, platformHistory, pipeline, audits, overflowSource,
    async addClient(change = {}) {
      made += 1;
      const client: ClientRecorded = {
        type: 'ClientRecorded', client_id: `2000000000000${String(made).padStart(2, '0')}`,
        user_id: `${made}`, name: `Client ${made}`, providers: ['acme'], audiences: ['rtt'],
        scopes: ['query:read'], secrets: [], status: 'active', version: 1, at_ms: 0, ...change,
      };
      await log.append({
        topic: TOPICS.clients.name, key: client.client_id, headers: {},
        value: Buffer.from(JSON.stringify(client)),
      }, 0);
      await project();
      return client;
    },
    async addDevice(client, entityId = randomUUID()) {
      const name = { clientId: client.client_id, entityType: 'acme_truck', entityId };
      const entity_hash = entityHashOf(keyedSecrets(PEPPER).hash, name);
      const device = aRegistration(client, { entity_hash, entity_id: entityId });
      await states.devices.apply(placed([device, startOf(device)]));
      return device.device_id;
    },
    move({ client, device, latitude, longitude, ageSeconds = 0 }) {
      const timestamp = Math.floor(Date.now() / 1_000) - ageSeconds;
      fixes.take(logRecord('locations', offset, device, {
        device_id: device, post_timestamp: timestamp,
        locations: [{ timestamp, country_id: 'BR', latitude, longitude }],
      }, {
        headers: {
          'client': client.client_id, 'provider': 'acme', 'country': 'BR', 'n': '1',
          'received-at': String(Date.now()), 'ingest-id': `post-${offset}`,
        },
      }));
      offset += 1;
    },
    stop(client, device) {
      fixes.take(logRecord('deviceLifecycle', offset, device, {
        type: 'DeviceTrackingStopped', device_id: device, client_id: client.client_id,
        at_ms: Date.now(),
      }));
      offset += 1;
    },
    overflow(device, state) {
      fixes.take(logRecord('overflow', offset, device, {
        type: 'OverflowRecorded', device_id: device, state, version: offset + 1, at_ms: Date.now(),
      }));
      offset += 1;
    },
    async link(...words) {
      const written = log.appended.map(({ topic, value, key }, at) => (
        aLogRecord(topic, at, value, { key })));
      const report = await consoleCommand({
        ...fakeWatchedLog(written), log, clock: systemClock, digest: sha256,
        secrets: keyedSecrets(PEPPER), newClientId: () => '900000000000001',
      } as unknown as OperatorPorts, ['link', '--url', edge.url, ...words]);
      if (report.exitCode !== 0) throw new Error(report.lines.join(' '));
      await project();
      return (report.value as { readonly link: string }).link;
    },
    async close() {
      clearInterval(updates);
      await edge.close();
    },
  };
}
