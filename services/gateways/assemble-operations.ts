import { readFileSync } from 'node:fs';
import { countriesOf, knownCountries } from '../adapters/config/countries.ts';
import { keyedSecrets, sha256 } from '../adapters/secrets/secrets.ts';
import { createIds, systemClock, systemPause } from '../adapters/system/system.ts';
import type { Countries } from '../kernel/countries.ts';
import type { Operation } from '../kernel/http.ts';
import type { ClientId } from '../kernel/ids.ts';
import type { Secrets } from '../kernel/secrets.ts';
import type { GatewaysConfig } from './assemble-config.ts';
import { operatorOperations, overflowOperations } from './assemble-operator.ts';
import { createFindWarnings, withDryRuns } from './assemble-dry-runs.ts';
import type { OperationsPorts } from './assemble-ports.ts';
import { withSandboxes } from './assemble-sandbox.ts';
import { authorizeShipment } from './authorization/operations/authorize-shipment.ts';
import { cancelShipment } from './authorization/operations/cancel-shipment.ts';
import { moveDeviceOperations } from './devices/operations/move-device.ts';
import { problemErrors } from './common/problem.ts';
import { registerDevice } from './devices/operations/register-device.ts';
import { requireMonitoring } from './devices/require-monitoring.ts';
import { sendDeferredEvents } from './georeceiver/operations/send-deferred-events.ts';
import { sendDeliveryLocations } from './georeceiver/operations/send-delivery-locations.ts';
import { sendLocations } from './georeceiver/operations/send-locations.ts';
import { sendTelemetryEvents } from './georeceiver/operations/send-telemetry-events.ts';
import { notificationErrors } from './common/notification-errors.ts';
import { pullNotifications } from './notifications/operations/pull-notifications.ts';
import { pushNotifications } from './notifications/operations/push-notifications.ts';
import { showJourney } from './notifications/operations/show-journey.ts';
import {
  showShipmentAuthorization,
} from './notifications/operations/show-shipment-authorization.ts';
import { followFacts } from './live/operations/follow-facts.ts';
import { followFixes } from './live/operations/follow-fixes.ts';
import { listPastFleet } from './live/operations/list-past-fleet.ts';
import { placeCursors } from './common/place-cursors.ts';
import { issueToken } from './oauth/operations/issue-token.ts';
import { revokeToken } from './oauth/operations/revoke-token.ts';
import { cancelAuthorization } from './platform/operations/cancel-authorization.ts';
import { listAuthorizations } from './platform/operations/list-authorizations.ts';
import { listCommands } from './platform/operations/list-commands.ts';
import { resendAuthorization } from './platform/operations/resend-authorization.ts';
import { sendAuthorization } from './platform/operations/send-authorization.ts';
import { showAuthorization } from './platform/operations/show-authorization.ts';
import {
  listPlatformEntityDevices,
} from './platform/operations/list-platform-entity-devices.ts';
import { listPlatformFleet } from './platform/operations/list-platform-fleet.ts';
import { listTransportDevices } from './platform/operations/list-transport-devices.ts';
import { listPlatformShipments } from './platform/operations/list-platform-shipments.ts';
import { showPlatformDevice } from './platform/operations/show-platform-device.ts';
import { showPlatformJourney } from './platform/operations/show-platform-journey.ts';
import { showShipmentLocation } from './platform/operations/show-platform-place.ts';
import { showPlatformShipment } from './platform/operations/show-platform-shipment.ts';
import { showTransportFix } from './platform/operations/show-transport-fix.ts';
import { sendCommand } from './platform/operations/send-command.ts';
import { showCommand } from './platform/operations/show-command.ts';
import { listAudits } from './operator/operations/list-audits.ts';
import { showPipeline } from './operator/operations/show-pipeline.ts';
import { showDocs } from './docs/operations/show-docs.ts';
import type { OpenApi } from './docs/openapi.ts';
import { showOpenapi } from './docs/operations/show-openapi.ts';
import { showProblem } from './docs/operations/show-problem.ts';
import { examineParty } from './query/operations/examine-party.ts';
import { listCalls } from './query/operations/list-calls.ts';
import { listEntityDevices } from './query/operations/list-entity-devices.ts';
import { listExaminations } from './query/operations/list-examinations.ts';
import { listFleetFixes } from './query/operations/list-fleet-fixes.ts';
import { listIngests } from './query/operations/list-ingests.ts';
import { showDevice } from './query/operations/show-device.ts';
import { showDeviceFix } from './query/operations/show-device-fix.ts';
import { showIngest } from './query/operations/show-ingest.ts';
import { showLimits } from './query/operations/show-limits.ts';
import { showScores } from './query/operations/show-scores.ts';
import { showTrack } from './query/operations/show-track.ts';
import { showTraceableFix } from './query/operations/show-traceable-fix.ts';
import type { GatewayRoom } from './gateways.ts';
import { NONE } from './require-decisions.ts';

export type { OperationsPorts };

/** Settings that decide how operations answer. */
export type OperationsConfig = Pick<
  GatewaysConfig,
  'RASTRO_SECRET_PEPPER' | 'RTT_REQUIRE_OPEN_MONITORING' | 'RASTRO_CARRIER_CLIENT_ID'
  | 'RASTRO_CONTRACTS_REQUIRING_AGENCY' | 'RASTRO_RACE_WAIT_MS_MAX'
> & Partial<Pick<
  GatewaysConfig,
  'RASTRO_TRACKING_NUMBER_KEY' | 'RASTRO_COMMAND_DEADLINE_MS' | 'RASTRO_COUNTRIES'
>>;

const RACE_POLL_MS = 10;
const OPENAPI = new URL('../../schemas/generated/openapi.json', import.meta.url);
const CLOCK_PORTS = { clock: systemClock, pause: systemPause, ids: createIds(systemClock) };

/**
 * The operations of the named rooms, in their order, each that writes with its dry run, and all
 * with what they do for sandbox clients.
 */
export function operationsOf(
  rooms: readonly GatewayRoom[], config: OperationsConfig, ports: OperationsPorts,
): readonly Operation[] {
  const made = {
    countries: knownCountries(config.RASTRO_COUNTRIES ?? []),
    secrets: keyedSecrets(config.RASTRO_SECRET_PEPPER),
    numberSecrets: keyedSecrets(config.RASTRO_TRACKING_NUMBER_KEY ?? config.RASTRO_SECRET_PEPPER),
  };
  const warnings = createFindWarnings(made.countries);
  // In a sandbox no platform starts the monitoring of a transport, and a shipment has no carrier
  // but who asks: that of the deployment is a real client.
  const alone = {
    ...config, RTT_REQUIRE_OPEN_MONITORING: false, RASTRO_CARRIER_CLIENT_ID: undefined,
  };
  return rooms.flatMap((room) => withSandboxes(room, (over) => withDryRuns((parts) => (
    operationsIn(room, over === ports ? config : alone, made, parts)
  ), over, warnings), ports));
}

/** What takes long to make, and serves a call and its dry runs, which make operations again. */
interface MadeOnce {
  readonly countries: Countries;
  readonly secrets: Secrets;
  readonly numberSecrets: Secrets;
}

function operationsIn(
  room: GatewayRoom, config: OperationsConfig, { countries, secrets, numberSecrets }: MadeOnce,
  ports: OperationsPorts,
): readonly Operation[] {
  const { states, log, images, history, personal } = ports;
  const access = { states: states.access, log, clock: systemClock };
  const keyed = (text: string) => secrets.hash(text);
  const devices = { ...CLOCK_PORTS, states: states.devices, personal, keyed, log };
  const data = { log, ids: CLOCK_PORTS.ids, telemetryRequests: states.telemetryRequests };
  const monitored = config.RTT_REQUIRE_OPEN_MONITORING
    ? requireMonitoring(states.monitoring)
    : undefined;
  const { commands, parties, lastFixes, traceables, directory } = states;
  const race = { raceWaitMsMax: config.RASTRO_RACE_WAIT_MS_MAX, racePollMs: RACE_POLL_MS };
  const view = { clock: systemClock, countries };
  const tracks = { clock: systemClock, pause: systemPause, deviceTracks: ports.deviceTracks };
  const readers = { ...view, devices: states.devices, lastFixes, traceables };
  const named = { entities: states.entities, keyed };
  const orders = {
    ...CLOCK_PORTS, states: states.authorizations, shipments: states.shipments, personal, log,
    digest: sha256,
    numbers: (text: string) => numberSecrets.hash(text),
  };
  const carrier = {
    ...race,
    carrierClientId: clientOrNone(config.RASTRO_CARRIER_CLIENT_ID),
    contractsRequiringAgency: config.RASTRO_CONTRACTS_REQUIRING_AGENCY,
  };
  const shipmentPages = {
    history, images, personal, shipments: states.shipments,
    cursors: placeCursors(keyed),
  };
  const limits = {
    access: states.access, overflow: states.overflow, clock: systemClock,
    limitUse: states.limitUse, rates: ports.rates, tenants: ports.tenants,
  };
  const calls = { access: states.access, taken: states.taken, refusals: states.refusals };
  const ingests = listIngests({
    clock: systemClock, pause: systemPause, itemOutcomes: ports.itemOutcomes,
  });
  const examining = {
    ...CLOCK_PORTS, parties, examinations: states.examinations,
    country: examinedCountry(config.RASTRO_COUNTRIES ?? []),
  };
  const asking = { ...CLOCK_PORTS, log, parties, personal, calls: states.authorizationCalls };
  const overShipments = {
    shipments: states.shipments, shipmentIndex: states.shipmentIndex,
    authorizations: states.authorizations, history, cursors: shipmentPages.cursors,
    platformHistory: ports.platformHistory,
  };
  const byRoom: Readonly<Record<GatewayRoom, () => readonly Operation[]>> = {
    oauth: () => [
      issueToken({ ...access, secrets, takenCalls: ports.takenCalls }), revokeToken(access),
    ],
    devices: () => [
      registerDevice(race, devices, monitored), ...moveDeviceOperations(race, devices),
    ],
    authorization: () => [
      authorizeShipment(carrier, orders), cancelShipment(race, orders),
      listCalls('list-authorization-calls', calls, notificationErrors),
    ],
    notifications: () => [
      pushNotifications({ ...CLOCK_PORTS, shipments: states.shipments, images, personal, log }),
      pullNotifications(shipmentPages), showJourney(shipmentPages),
      showShipmentAuthorization(overShipments),
    ],
    platform: () => [
      sendCommand({ ...race, commandMsMax: config.RASTRO_COMMAND_DEADLINE_MS }, {
        ...CLOCK_PORTS, log, commands, commandKeys: states.commandKeys, parties, digest: sha256,
      }),
      showCommand({ commands, platformHistory: ports.platformHistory }),
      listCommands({ commands, clock: systemClock }),
      sendAuthorization(asking), resendAuthorization(asking), cancelAuthorization(asking),
      listAuthorizations(asking), showAuthorization(asking.calls),
      listTransportDevices(directory),
      showTransportFix({ ...view, directory, lastFixes }),
      listPlatformFleet({ ...view, directory, lastFixes, access: states.access }),
      showPlatformDevice(directory),
      listPlatformEntityDevices({ ...named, directory, personalKeys: states.personalKeys }),
      showTrack('show-platform-track', {
        ...tracks, isKnown: async (_, id) => await directory.find(id) !== undefined,
      }),
      listPlatformShipments(overShipments), showPlatformShipment(overShipments),
      showPlatformJourney(overShipments), showShipmentLocation(overShipments),
    ],
    query: () => [
      listEntityDevices({ ...named, personal }),
      showDevice(states.devices, personal), showDeviceFix(readers),
      showTrack('show-device-track', {
        ...tracks,
        isKnown: async (owner, id) => await states.devices.load(owner, id) !== undefined,
      }),
      showTraceableFix(readers), listFleetFixes(readers),
      showIngest('show-ingest', ports.itemOutcomes, problemErrors),
      showIngest('show-tracking-ingest', ports.itemOutcomes, notificationErrors),
      showIngest('show-platform-ingest', ports.itemOutcomes, problemErrors),
      ...ingests, showScores(ports.providerQuality, systemPause),
      listCalls('list-calls', calls, problemErrors),
      listCalls('list-tracking-calls', calls, notificationErrors),
      showLimits('show-limits', limits, problemErrors),
      showLimits('show-tracking-limits', limits, notificationErrors),
      listExaminations('list-examinations', examining, problemErrors),
      listExaminations('list-tracking-examinations', examining, notificationErrors),
      examineParty('examine-party', examining, problemErrors),
      examineParty('examine-tracking-party', examining, notificationErrors),
    ],
    docs: () => {
      const text = readFileSync(OPENAPI, 'utf8');
      return [showOpenapi(text), ...showDocs(JSON.parse(text) as OpenApi), showProblem()];
    },
    // Its operations serve its own pages alone: see assemble-console.ts.
    console: () => [],
    live: () => ports.live === undefined ? [] : [
      ...followFixes(ports.live), ...followFacts(ports.live),
      ...listPastFleet({ ...view, pause: systemPause, pastFleet: ports.pastFleet }),
    ],
    operator: () => [
      ...ports.deadLetters === undefined ? [] : operatorOperations(ports.deadLetters, {
        ...CLOCK_PORTS, log, leases: states.leases, secrets,
      }),
      ...ports.pipeline === undefined ? [] : [showPipeline(ports.pipeline)],
      listAudits({ audits: ports.audits, clock: systemClock, secrets }),
      ...ports.overflowSource === undefined ? [] : overflowOperations(
        ports.overflowSource, { directory, access: states.access },
        { ...CLOCK_PORTS, log, leases: states.leases, secrets },
      ),
    ],
    georeceiver: () => [
      sendLocations(data, ports.scanLocations), sendTelemetryEvents(data),
      sendDeferredEvents(data), sendDeliveryLocations(data),
    ],
  };
  return byRoom[room]();
}

/** The first country that the deployment serves, or the usual one of the kit for all of them. */
function examinedCountry(named: readonly string[]): string {
  const [first = 'US'] = named.length === 0 ? [] : countriesOf(named).values();
  return first;
}

function clientOrNone(setting: string | undefined): ClientId | undefined {
  return setting === NONE ? undefined : setting;
}
