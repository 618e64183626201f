import { randomUUID } from 'node:crypto';
import { runCarrier, type CarrierConfig } from './carrier/carrier.ts';
import { createDeliver } from './client/deliver.ts';
import { createGate } from './client/gate.ts';
import { createRequests } from './client/requests.ts';
import { createTokenSource, type TokenConfig } from './client/token.ts';
import { loadSchemas } from '../adapters/schema/load-schemas.ts';
import { createAnswerCommand } from './commands/answer-command.ts';
import { createDeferredAnswers } from './commands/deferred-answers.ts';
import { createPlannedRoutes } from './commands/planned-routes.ts';
import type { ProviderConfig } from './config.ts';
import { createSend } from './http/send.ts';
import { listen } from './http/server.ts';
import { openLedgerFile } from './ledger/file.ts';
import { createLedger } from './ledger/ledger.ts';
import type { WaitingClock } from './ports.ts';
import { readLibrary } from './readers/library.ts';
import { createCompanions } from './replay/companions.ts';
import { createFleet } from './replay/fleet.ts';
import { createTravels } from './replay/travels.ts';

/** Lap length of a run without an end: then the replayed times have caught up with now. */
const LAP_SECONDS = 120;
const SOCKETS_MAX = 64;
/** Of so many transports one carries parcels. */
const CARGO_EVERY = 5;
const ROUTES_MAX = 100_000;
const TRAVELS = { lapsMaxPerTransport: 4, transportsMax: 1_000 };
const DEFERRED = { delayMs: 100, requestsMax: 10_000 };
/** Share of a run in which shipments begin, and the pushes that the rest of it is for. */
const SHIPMENTS = { startRatio: 0.3, pushRatio: 0.5, pushes: 16, refusedWaitMs: 5_000 };
const REPEAT = { backoffFirstMs: 1_000, throttledMs: 300_000 };

/** A provider that runs: its address, what it is doing, and its orderly end. */
export interface Provider {
  readonly url: string;
  readonly status: () => object;
  /** Begins no post any more, delivers what is in hand, stops the devices. May be called again. */
  readonly drain: () => Promise<void>;
  /** Drains as the replay is over, and goes on answering: a start that is late gets its 200. */
  readonly finish: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Puts the provider together and starts it. Rejects when the port or the ledger cannot open. */
export async function startProvider(
  config: ProviderConfig, clock: WaitingClock,
): Promise<Provider> {
  const tracks = await readLibrary(config.sources);
  if (tracks.length === 0) throw new Error('Bad configuration: no track of these sources.');
  const file = config.ledgerFile === undefined ? undefined : openLedgerFile(config.ledgerFile);
  const run = randomUUID().slice(0, 8);
  const ledger = createLedger(run, clock, (line) => file?.write(line));
  const leaving = new AbortController();
  let lostAnswers = 0;

  const { send, close: closeSend } = createSend({
    baseUrl: config.url, socketsMax: SOCKETS_MAX, timeoutMs: 15_000, answerBytesMax: 262_144,
  });
  const repeat = { ...REPEAT, backoffMsMax: config.backoffMsMax };
  const { clientId, clientSecret } = config;
  const random = Math.random;
  const gate = createGate({
    inFlightMax: SOCKETS_MAX, requestsPerSecondMax: config.requestsPerSecondMax,
  }, clock);
  const onLost = () => { lostAnswers += 1; };
  const deliverAs = (audience: TokenConfig['audience']) => {
    const token = createTokenSource(
      { ...repeat, audience, clientId, clientSecret, renewAtRatio: 0.9 },
      { send, clock, random, signal: leaving.signal },
    );
    return createDeliver(repeat, { send, gate, token, clock, random, onLost });
  };
  const deliver = deliverAs('rtt');
  const requests = createRequests(config);
  const companions = createCompanions(
    { provider: config.provider, run, cargoEvery: CARGO_EVERY },
    { deliver, requests, ledger, clock },
  );
  const travels = createTravels(TRAVELS);
  const routes = createPlannedRoutes(ROUTES_MAX);
  const deferred = createDeferredAnswers(
    DEFERRED, { travels, deliver, requests, ledger, clock, signal: leaving.signal },
  );
  const fleet = createFleet(tracks, {
    provider: config.provider,
    speed: config.speed,
    lapSecondsMax: config.runSeconds === 0 ? LAP_SECONDS : config.runSeconds,
    lateStepSecondsMax: 300,
    postIntervalMs: 1_000,
    fixesPerPostMax: 50,
    lapMsMin: 10_000,
    refusedWaitMs: 5_000,
    transportIdFirst: 1_000_001,
    startSpreadMs: Math.min(10_000, config.devices * 10),
    devicesMax: Math.max(10_000, config.devices),
  }, {
    deliver, requests, ledger, clock, onLate: () => leaving.abort(),
    beginLap: (device_id, unit, fixes) => {
      travels.remember(unit.transport_id, fixes);
      return companions.beginLap(device_id, unit, fixes);
    },
  });
  const carrier = runCarrier(carrierConfigOf(config, run), {
    authorize: deliverAs('authorizations'), notify: deliverAs('logistic-feed'),
    requests, ledger, clock, abandon: leaving.signal,
  });

  let drained = false;
  let draining: Promise<void> | undefined;
  const unsendable = tracks.reduce((sum, track) => sum + track.unsendable, 0);
  const status = () => ({
    ...fleet.counts(), ...ledger.counts(), ...ledger.countsOfOthers(), ...carrier.counts(),
    deferred_open: deferred.open(), planned_routes: routes.count(), lost_answers: lostAnswers,
    requests_in_flight: gate.inFlight(), tracks: tracks.length, unsendable, drained,
  });
  const answerCommand = createAnswerCommand(config, {
    fleet, routes, deferred, check: loadSchemas().checkOf('ProviderCommandBody'),
  });
  const server = await listen({
    host: config.host, port: config.port, bodyBytesMax: 1_048_576,
  }, { answerCommand, status });
  fleet.addDevices(config.devices);

  /** Ends everything together; at the deadline all work is aborted. */
  async function drainAll(): Promise<void> {
    const ended = new AbortController();
    const late = clock.wait(config.drainMsMax, ended.signal).then(() => {
      if (!ended.signal.aborted) leaving.abort();
    });
    await Promise.all([fleet.drain(config.drainMsMax), carrier.drain(), deferred.finished()]);
    ended.abort();
    await late;
    drained = true;
  }

  async function drain(): Promise<void> {
    draining ??= drainAll();
    await draining;
  }

  function finish(): Promise<void> {
    fleet.endReplay();
    return drain();
  }

  async function close(): Promise<void> {
    leaving.abort();
    await drain();
    await server.close();
    closeSend();
    file?.close();
  }

  return { url: server.url, status, drain, finish, close };
}

/** In a run that ends, shipments begin early and have their final code well before the end. */
function carrierConfigOf({ shipments, runSeconds }: ProviderConfig, run: string): CarrierConfig {
  const { startRatio, pushRatio, pushes, refusedWaitMs } = SHIPMENTS;
  const runMs = (runSeconds === 0 ? LAP_SECONDS : runSeconds) * 1_000;
  return {
    run, shipments, refusedWaitMs,
    isEndless: runSeconds === 0,
    startSpreadMs: runMs * startRatio,
    stepMs: (runMs * pushRatio) / pushes,
  };
}
