import type { Operation } from '../../../services/kernel/http.ts';
import type { LogHandler, RecordLog } from '../../../services/kernel/record-log.ts';
import {
  createStateWatch, type WatchSources,
} from '../../../services/workers/rebuild/watch-state.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { fakeStates, type FakeStates, type StatePorts } from '../../support/fake-states.ts';
import { createGroup, type SimGroup, type GroupFlaws } from '../ports/group.ts';
import { createSimLog, type SimLog } from '../ports/log.ts';
import { createHistory, type Args, type CallHistory, type SimCall } from './history.ts';
import { statesOfProcess } from './process-states.ts';
import type { SimProcess, Scheduler } from './scheduler.ts';
import { serve, type SimReply, type Request, type ServePorts } from './serve.ts';
import { createWeather, type Weather } from './weather.ts';
import { createWire, type Wire } from './wire.ts';

/** The state store: every port of it, ready and wiped as one. */
export interface Stores {
  readonly states: FakeStates;
}

/** A gateway that runs: its operations by id, and what it answers with. */
export interface SimGateway extends ServePorts {
  readonly operations: readonly Operation[];
}

/** A call to make. */
export interface Asking extends Request {
  readonly op: string;
  readonly operation: string;
  readonly args: Args;
}

/** What one schedule runs in: the log, the store, the processes, and who calls them. */
export interface Simulation {
  readonly scheduler: Scheduler;
  readonly weather: Weather;
  readonly wire: Wire;
  readonly log: SimLog;
  readonly stores: Stores;
  readonly history: CallHistory;
  /** Defects: what was thrown that is no fault, and invariants that were broken during the run. */
  readonly findings: string[];
  /** Keeps a process of this role running, and starts it again whenever it was killed. */
  keep(role: string, start: (process: SimProcess) => void): void;
  keepGateways(count: number, open: (process: SimProcess) => SimGateway): void;
  /** Keeps workers that share topics; each also watches the state store when sources are given. */
  keepWorkers(
    role: string, count: number, topics: readonly string[],
    open: (process: SimProcess) => LogHandler,
    sources?: (process: SimProcess) => WatchSources,
  ): SimGroup;
  /** The stores of the product as a process has them: every read and commit is an exchange. */
  states(process: SimProcess): StatePorts;
  /** Another port as a process sees it: every call is an exchange. */
  port<Port extends object>(process: SimProcess, name: string, port: Port): Port;
  /** The log as a process writes it. */
  append(process: SimProcess): RecordLog;
  /** Calls any gateway once, as a client does. */
  call(client: SimProcess, asking: Asking): Promise<SimCall>;
  /** A client that does one thing after the other. */
  client(name: string, work: (process: SimProcess) => Promise<void>): void;
  /** Records a defect of a process and ends it. */
  onDefect(process: SimProcess, error: unknown): void;
  wipe(): void;
  /** The steps at which the store was wiped. */
  readonly wipes: readonly number[];
  /** Lets everything happen until the clients are done, then ends all faults, until quiet. */
  run(stepsMax: number, isQuiet: () => boolean): Promise<boolean>;
}

/** How a simulation may be wrong, for mutants. */
export interface SimulationFlaws {
  readonly group?: GroupFlaws;
  readonly stores?: (stores: Stores) => Stores;
  /** Changes a port as the product sees it. */
  readonly port?: (name: string, port: object, wire: Wire) => object;
  readonly append?: (log: RecordLog, wire: Wire) => RecordLog;
}

const CLIENT_WAIT_MS = 9_000;
const WATCH = {
  ...POISON_FLOOD_LIMITS, leaseMs: 10_000, renewMs: 2_000, pollMs: 500, checkpointMs: 10_000,
};
const BUDGET = { kill: 4, wipe: 2, stall: 3, rebalance: 4 };
/** Moments between two writes of one decision: faults come there more often. */
const BETWEEN = /(denyToken|claim\w*|commit).* answered$|written, ok$/;
const BETWEEN_DICES = 12;
const RICH = {
  requestsPerSecond: 1e6, requestsBurst: 1e6, locationsPerSecond: 1e6, locationsBurst: 1e6,
  notificationsPerSecond: 1e6, notificationsBurst: 1e6,
  bytesPerSecond: 1e9, bytesBurst: 1e9,
  deviceRequestsPerSecond: 1e6, deviceRequestsBurst: 1e6,
  tokenRequestsPerMinute: 1e8, tokenRequestsBurst: 1e6,
};

/** Makes a simulation with nothing but an empty, ready store. */
export function createSimulation(scheduler: Scheduler, flaws: SimulationFlaws = {}): Simulation {
  const { dice } = scheduler;
  const weather = createWeather(dice.fork('weather'));
  const wire = createWire(scheduler, weather);
  const log = createSimLog(wire);
  const history = createHistory();
  const findings: string[] = [];
  const sound = createStores(scheduler);
  const stores = flaws.stores?.(sound) ?? sound;
  const running = new Map<string, SimProcess>();
  const gateways = new Map<SimProcess, SimGateway>();
  const groups: SimGroup[] = [];
  const left = { ...BUDGET };
  let clients = 0;
  let isReady = true;
  const wipes: number[] = [];

  function port<Port extends object>(process: SimProcess, name: string, target: Port): Port {
    const sent = wire.portOf(process, name, target);
    return (flaws.port?.(name, sent, wire) ?? sent) as Port;
  }

  function states(process: SimProcess): StatePorts {
    return statesOfProcess(stores.states, {
      send: (name, target) => wire.portOf(process, name, target),
      bend: (name, target) => flaws.port?.(name, target, wire) ?? target,
    });
  }

  function append(process: SimProcess): RecordLog {
    const sent = log.appendOf(process);
    return flaws.append?.(sent, wire) ?? sent;
  }

  const onDefect = (process: SimProcess, error: unknown): void => {
    if (!process.isAlive) return;
    const what = error instanceof Error ? error.stack ?? error.message : String(error);
    findings.push(`defect in ${process.name}: ${what}`);
    scheduler.kill(process);
  };

  function keep(role: string, start: (process: SimProcess) => void): void {
    let lives = 0;
    const begin = (): void => {
      lives += 1;
      const skewMs = dice.chance(0.3) ? dice.between(-1_500, 1_500) : 0;
      const process = scheduler.spawn(`${role}#${lives}`, skewMs);
      running.set(role, process);
      process.onDeath.push(() => {
        running.delete(role);
        const nurse = scheduler.spawn('supervisor');
        scheduler.post(nurse, 'timer', `${role} starts again`, weather.latencyMs(), begin);
      });
      scheduler.post(process, 'work', `${process.name} starts`, 0, () => start(process));
    };
    begin();
  }

  function watch(process: SimProcess, sources: WatchSources): void {
    const { readiness } = stores.states;
    createStateWatch(WATCH, {
      readiness: port(process, 'readiness', {
        ...readiness,
        markReady: async (owner: string) => {
          isReady = await readiness.markReady(owner) || isReady;
          return isReady;
        },
      }),
      lastFixes: states(process).lastFixes,
      tailReader: () => log.readerOf(process), keepCheckpoint: async () => false,
      owner: process.name, clock: wire.clockOf(process),
      pause: wire.pauseOf(process), signals: silentSignals,
      onCrash: (error) => onDefect(process, error),
    }, sources).start();
  }

  function call(client: SimProcess, { op, operation, args, ...request }: Asking): Promise<SimCall> {
    const each = history.begin(scheduler.step(), op, client.name, args);
    return new Promise((resolve) => {
      let isOver = false;
      const end = (what: string, reply?: SimReply): void => {
        scheduler.post(client, 'answer', `${op} ${what}`, weather.latencyMs(), () => {
          if (isOver) return;
          isOver = true;
          history.end(each, scheduler.step(), reply?.status, reply?.body, reply?.headers);
          resolve(each);
        });
      };
      scheduler.post(client, 'timer', `${op} is given up`, CLIENT_WAIT_MS, () => end('given up'));
      const [process, gateway] = gateways.size === 0 ? [] : dice.pick([...gateways]);
      if (process === undefined || gateway === undefined) return end('refused');
      const found = gateway.operations.find(({ id }) => id === operation);
      if (found === undefined) throw new Error(`no operation ${operation}`);
      process.onDeath.push(() => end('cut off'));
      scheduler.post(process, 'work', `${op} arrives`, weather.latencyMs(), () => {
        const outcome = weather.outcome();
        if (outcome === 'dropped') return end('cut off');
        serve(gateway, found, request).then((reply) => {
          scheduler.addToTrace(`${op} is answered ${reply.status}`);
          if (outcome === 'ok') end(`gets ${reply.status}`, reply);
          else end('cut off');
        }, (error: unknown) => onDefect(process, error));
      });
    });
  }

  /** The faults that come between two steps. */
  function strike(): void {
    if (weather.isCalm()) return;
    const dicesCount = BETWEEN.test(scheduler.lastLabel()) ? BETWEEN_DICES : 1;
    const hits = (kind: keyof typeof BUDGET): boolean => {
      for (let dices = dicesCount; dices > 0 && left[kind] > 0; dices -= 1) {
        if (!weather.chance(kind)) continue;
        left[kind] -= 1;
        return true;
      }
      return false;
    };
    const alive = [...running.values()];
    if (alive.length > 0 && hits('kill')) scheduler.kill(dice.pick(alive));
    if (alive.length > 0 && hits('stall')) {
      const process = dice.pick(alive);
      process.stalledUntilMs = scheduler.nowMs() + dice.between(1_000, 40_000);
      scheduler.addToTrace(`${process.name} is stopped for a while`);
    }
    if (hits('wipe')) wipe();
    if (hits('rebalance')) for (const group of groups) group.rebalance();
  }

  function wipe(): void {
    scheduler.addToTrace('the state store is wiped');
    isReady = false;
    wipes.push(scheduler.step());
    stores.states.wipe();
  }

  async function run(stepsMax: number, isQuiet: () => boolean): Promise<boolean> {
    const isHealed = await scheduler.runUntil(() => {
      strike();
      return clients === 0;
    }, stepsMax);
    weather.calm();
    for (const process of running.values()) process.stalledUntilMs = 0;
    scheduler.addToTrace('all faults are over');
    return await scheduler.runUntil(() =>
      clients === 0 && groups.every((group) => group.isCaughtUp())
        && isReady && isQuiet(), stepsMax) && isHealed;
  }

  return {
    scheduler, weather, wire, log, stores, history, findings, wipes, keep, call, wipe, run, port,
    states, append, onDefect,
    keepGateways(count, open) {
      for (let at = 1; at <= count; at += 1) {
        keep(`gateway${at}`, (process) => {
          gateways.set(process, open(process));
          process.onDeath.push(() => gateways.delete(process));
        });
      }
    },
    keepWorkers(role, count, topics, open, sources) {
      const group = createGroup(wire, log, topics, onDefect, flaws.group);
      groups.push(group);
      for (let at = 1; at <= count; at += 1) {
        keep(`${role}${at}`, (process) => {
          group.join(process, open(process));
          if (sources !== undefined) watch(process, sources(process));
        });
      }
      return group;
    },
    client(name, work) {
      const process = scheduler.spawn(name);
      clients += 1;
      scheduler.post(process, 'work', `${name} begins`, dice.between(0, 50), () => {
        work(process).then(() => { clients -= 1; }, (error: unknown) => {
          findings.push(`${name}: ${String(error)}`);
          clients -= 1;
        });
      });
    },
  };
}

function createStores(scheduler: Scheduler): Stores {
  const nowMs = (): number => scheduler.nowMs();
  return {
    states: fakeStates(RICH, { nowMs }),
  };
}
