import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '../dice.ts';
import type { HistoryLine } from '../history.ts';
import type { TestCluster } from '../cluster/cluster.ts';
import { withBalancer, withoutBalancer } from './balancer.ts';
import { createCaller, type Caller } from './caller.ts';
import { notifyAboutShipments, type CarrierActor } from './carrier-actor.ts';
import type { LineWriter } from './history-writer.ts';
import { createPacer, type Load } from './pace.ts';
import { repeatCommands } from './repeated-commands.ts';
import {
  authorizeShipments, commandTransports, raceAuthorizations, type PlatformActor,
} from './platform-actor.ts';
import { liveAsProvider } from './provider-life.ts';
import { PROVIDERS, type Residents } from './residents.ts';
import { issueToken } from './tokens.ts';

/** What a workload is made of. */
export interface WorkloadPorts {
  readonly cluster: Pick<TestCluster, 'gateways'>;
  readonly residents: Residents;
  readonly history: LineWriter<HistoryLine>;
  readonly dice: Dice;
  /** Unique in the history, which may be that of several workloads. */
  readonly prefix: string;
  /** True when a balancer is before the gateways: a call goes only to one that is ready. */
  readonly isBalanced: boolean;
  readonly load: Load;
  /** A second carrier notifies about shipments of the first. */
  readonly hasDisputes?: boolean;
  /** Providers also leave devices that go on silently. */
  readonly parksDevices?: boolean;
  /** Only the platform calls: so many commands, each repeated. */
  readonly commands?: number | undefined;
  /** A person who must be in no log. */
  readonly personalName: string;
}

/** Clients at work. */
export interface Workload {
  /** A provider was asked for summarized events of a transport. */
  readonly asked: (provider: string, requestId: string, transportId: number) => void;
  /**
   * Ends each client at its next safe place; calls in progress are still repeated until they end.
   */
  stop(): void;
  /** Resolves when all commands of a limited number are issued. */
  issued(): Promise<void>;
  /** Resolves when every client has ended; after `patienceMs` calls are given up: true then. */
  ended(patienceMs: number): Promise<boolean>;
}

const TRANSPORTS_A_RUN = 100_000;
const RUNS = 80_000;

/** Lets all clients of a cluster begin to work. */
export function startWorkload(ports: WorkloadPorts): Workload {
  const { residents, dice, prefix, personalName } = ports;
  const stopping = new AbortController();
  const over = new AbortController();
  const { gateways } = ports.cluster;
  const choose = ports.isBalanced ? withBalancer(gateways, over.signal) : withoutBalancer(gateways);
  const awaitSlot = createPacer(ports.load);
  let count = 0;
  const unique = (name: string): string => `${name}-${prefix}-${count += 1}`;
  const mark = (): string => unique('m');
  let trackingNumbers = 0;
  const nextTrackingNumber = (): string => `T-${prefix}-${trackingNumbers += 1}`;
  const paceOf = (life: string) => (name: string) => {
    const own = dice.fork(`pace-${life}-${name}`);
    return () => delay(own.next() * ports.load.pauseMsMax);
  };
  const devices = new Map<string, string>();
  const firstTransport = dice.between(1, RUNS) * TRANSPORTS_A_RUN;

  function callerOf(name: string): Caller {
    const caller = createCaller(name, {
      history: ports.history, choose, awaitSlot, over: over.signal, unique,
    }, dice.fork(`caller-${name}`));
    return {
      name,
      async call(outgoing) {
        const ending = await caller.call(outgoing);
        const { id } = ending.body;
        if (outgoing.op === 'register' && typeof id === 'string') devices.set(name, id);
        return ending;
      },
    };
  }

  const living = ports.commands === undefined ? residents.providers : [];
  const providers = living.map((credential, at) => liveAsProvider({
    caller: callerOf(credential.provider), credential, dice: dice.fork(credential.provider),
    prefix, firstTransport: firstTransport + at * 100, mark, stopping: stopping.signal,
    paceOf: paceOf(credential.provider),
    parksDevices: ports.parksDevices === true,
    foreignDevice: () => devices.get(PROVIDERS[1 - at] ?? ''),
  }));
  const numbers: string[] = [];

  async function actAsStranger(): Promise<CarrierActor['stranger']> {
    const caller = callerOf('stranger');
    const token = await issueToken(caller, residents.stranger, 'logistic-feed');
    return token === undefined ? undefined : { caller, token };
  }

  async function liveAsCarrier(): Promise<void> {
    const caller = callerOf('carrier');
    const token = await issueToken(caller, residents.carrier, 'logistic-feed');
    if (token === undefined) return;
    const stranger = ports.hasDisputes === true ? await actAsStranger() : undefined;
    await Promise.all([1, 2].map((nth) => notifyAboutShipments({
      caller, token, dice: dice.fork(`carrier-${nth}`), mark, stopping: stopping.signal,
      // One of the two also has shipments without an authorization.
      nextNumber: () => (nth === 1 ? numbers.shift() : undefined) ?? nextTrackingNumber(),
      personalName, stranger,
      pace: paceOf('carrier')(String(nth)),
    })));
  }

  async function liveAsPlatform(): Promise<void> {
    const caller = callerOf('platform');
    const authorizationToken = await issueToken(caller, residents.platform, 'authorizations');
    const commandToken = await issueToken(caller, residents.platform, 'rtt');
    if (authorizationToken === undefined || commandToken === undefined) return;
    const actorOf = (name: string): PlatformActor => ({
      caller, authorizationToken, commandToken, dice: dice.fork(name), unique, personalName,
      providers: PROVIDERS, stopping: stopping.signal, pace: paceOf('platform')(name),
      authorized: (number) => { numbers.push(number); },
    });
    if (ports.commands !== undefined) {
      return repeatCommands(actorOf('repeats'), firstTransport, ports.commands);
    }
    await Promise.all([
      authorizeShipments(actorOf('authorizations')),
      raceAuthorizations(actorOf('races')),
      commandTransports(actorOf('commands-1'), firstTransport + 10_000),
      commandTransports(actorOf('commands-2'), firstTransport + 20_000),
    ]);
  }

  const platform = liveAsPlatform();
  const lives: Promise<unknown>[] = [
    ...providers.map(({ ended }) => ended), platform,
    ...(ports.commands === undefined ? [liveAsCarrier()] : []),
  ];

  return {
    asked(provider, requestId, transportId) {
      const life = providers[PROVIDERS.findIndex((name) => name === provider)];
      if (life !== undefined) lives.push(life.answer(requestId, transportId));
    },
    stop: () => stopping.abort(),
    issued: () => ports.commands === undefined ? Promise.resolve() : platform,
    async ended(patienceMs) {
      const all = Promise.all(lives).then(() => false);
      const isLate = await Promise.race([all, delay(patienceMs, true, { ref: false })]);
      over.abort();
      await Promise.allSettled(lives);
      return isLate;
    },
  };
}
