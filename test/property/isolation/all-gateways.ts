import { decodeImage, encodeImage } from '../../../services/adapters/images/decode.ts';
import { decodeLongImage } from '../../../services/adapters/images/decode-long.ts';
import { openConsole } from '../../../services/adapters/console/open-console.ts';
import { consoleOperations } from '../../../services/gateways/assemble-console.ts';
import {
  operationsOf, type OperationsPorts,
} from '../../../services/gateways/assemble-operations.ts';
import { createConsolePages } from '../../../services/gateways/console/find-console.ts';
import { GATEWAY_ROOMS } from '../../../services/gateways/gateways.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import type { Pages } from '../../../services/kernel/pages.ts';
import type { PersonalSeals } from '../../../services/kernel/personal.ts';
import { dryOver } from '../../support/dry-over.ts';
import { openEdge, type Edge } from '../../support/edge.ts';
import { fakeAudits, type FakeAudits } from '../../support/fake-audits.ts';
import { fakeDeadLetters, type FakeDeadLetters } from '../../support/fake-dead-letters.ts';
import { fakeDeviceTracks, type FakeDeviceTracks } from '../../support/fake-device-tracks.ts';
import { fakeItemOutcomes, type FakeItemOutcomes } from '../../support/fake-item-outcomes.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { fakeOverflow, type FakeOverflow } from '../../support/fake-overflow.ts';
import { fakePastFleet, type FakePastFleet } from '../../support/fake-past-fleet.ts';
import { fakePersonal } from '../../support/fake-personal.ts';
import { fakePipeline } from '../../support/fake-pipeline.ts';
import {
  fakePlatformHistory, type FakePlatformHistory,
} from '../../support/fake-platform-history.ts';
import {
  fakeProviderQuality, type FakeProviderQuality,
} from '../../support/fake-provider-quality.ts';
import {
  fakeShipmentHistory, type FakeShipmentHistory,
} from '../../support/fake-shipment-history.ts';
import { fakeStates, type FakeStates } from '../../support/fake-states.ts';
import { FREE_TENANTS } from '../../support/free-tenants.ts';
import { openFeeds, type OpenFeeds } from './open-feeds.ts';
import { OPERATION_SETTINGS } from '../../support/operation-settings.ts';

/** What the secrets of clients are hashed with. */
export const { RASTRO_SECRET_PEPPER: PEPPER } = OPERATION_SETTINGS;

/** A number that no run of calls reaches, for limits that these tests are not about. */
const NEVER_REACHED = 1_000_000_000;

/** Read once: nothing changes them. */
let pages: Pages | undefined;

/** Every operation of every room and of the console, over stores and a log in memory. */
export interface AllGateways {
  readonly edge: Edge;
  /** As they are served: also where a test mutant one. */
  readonly operations: readonly Operation[];
  readonly states: FakeStates;
  readonly personal: PersonalSeals;
  readonly log: FakeRecordLog;
  readonly feeds: OpenFeeds;
  readonly history: FakeShipmentHistory;
  readonly platformHistory: FakePlatformHistory;
  readonly itemOutcomes: FakeItemOutcomes;
  readonly deviceTracks: FakeDeviceTracks;
  readonly pastFleet: FakePastFleet;
  readonly providerQuality: FakeProviderQuality;
  readonly deadLetters: FakeDeadLetters;
  readonly audits: FakeAudits;
  readonly overflowSource: FakeOverflow;
}

/** Makes other operations of the operations, as one who forgets something would write them. */
export type Mutate = (operations: readonly Operation[]) => readonly Operation[];

/** Opens them behind one real HTTP edge; the test closes it. */
export async function openAllGateways(mutate: Mutate = (all) => all): Promise<AllGateways> {
  const states = fakeStates({
    requestsPerSecond: NEVER_REACHED, requestsBurst: NEVER_REACHED,
    deviceRequestsPerSecond: NEVER_REACHED, deviceRequestsBurst: NEVER_REACHED,
    tokenRequestsPerMinute: NEVER_REACHED, tokenRequestsBurst: NEVER_REACHED,
    tokenFailuresFree: NEVER_REACHED,
  });
  const log = fakeRecordLog();
  const stores = {
    history: fakeShipmentHistory(), platformHistory: fakePlatformHistory(),
    itemOutcomes: fakeItemOutcomes(), deviceTracks: fakeDeviceTracks(),
    pastFleet: fakePastFleet(), providerQuality: fakeProviderQuality(),
    deadLetters: fakeDeadLetters(log), audits: fakeAudits(log),
    overflowSource: fakeOverflow(log),
    personal: fakePersonal(states.personalKeys),
  };
  const feeds = openFeeds();
  const ports = {
    ...stores, states, log, live: feeds.live, pipeline: fakePipeline(), over: dryOver(states),
    images: {
      read: decodeImage, readLong: decodeLongImage, write: encodeImage,
      keep: () => Promise.reject(new Error('No image in these tests.')),
      find: async () => undefined, erase: async () => undefined,
    },
    rates: FREE_TENANTS.clientRates, tenants: FREE_TENANTS.tenants,
    // What operations do not use of a store is left out.
  } as unknown as OperationsPorts;
  const operations = mutate([
    ...operationsOf(GATEWAY_ROOMS, OPERATION_SETTINGS, ports),
    ...consoleOperations(['BR'], { states, log }),
  ]);
  const edge = await openEdge({
    operations, admission: states.admission, pages: pages ??= createConsolePages(openConsole()),
    http: {
      refusalsPerSecond: NEVER_REACHED, refusalsBurst: NEVER_REACHED,
      badTokensPerMinute: NEVER_REACHED, badTokensBurst: NEVER_REACHED,
    },
  });
  return { edge, operations, states, log, feeds, ...stores };
}
