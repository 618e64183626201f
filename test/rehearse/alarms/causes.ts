import type { TestCluster } from '../../faults/cluster/cluster.ts';
import type { ClusterProcess, ProcessName } from '../../faults/cluster/cluster-processes.ts';
import { hangPart, stopPart } from '../../faults/kinds/parts.ts';
import { kill } from '../../faults/kinds/processes.ts';
import { fullState } from '../../faults/kinds/state.ts';
import type { Fault } from '../../faults/scenario.ts';
import { underLoad } from '../steps.ts';

/** What is done to the platform, and the alarms that must ring by it. */
export interface Cause {
  readonly fault: Fault;
  /** Names of alarms that ring before the fault is over. */
  readonly rings: readonly string[];
  /** How long they may take, in milliseconds. */
  readonly msMax: number;
  /** Of them, those that end soon after the fault does. */
  readonly ends: readonly string[];
}

const MINUTE_MS = 60_000;
/** Prometheus reads a process each second, and must see that it started. */
const LIFE_MS = 3_000;

/** In this order, one after the other: an alarm must be silent when its cause begins. */
export const CAUSES: readonly Cause[] = [
  // Disputes and a defect at one record are there from the begin of the run.
  cause(nothing(), ['RastroNotificationsDisputed', 'RastroDeadLetters'], 2 * MINUTE_MS),
  cause(fullState(), ['RastroCallErrorsBurnRate'], 2 * MINUTE_MS),
  cause(away('every gateway', ['gateway-1', 'gateway-2']), ['RastroProcessMissing'], MINUTE_MS, [
    'RastroProcessMissing',
  ]),
  cause(killedAgain('parties'), ['RastroCrashLoop'], 2 * MINUTE_MS),
  cause(emptyWithoutLog(), ['RastroStateNotReady'], 2 * MINUTE_MS, ['RastroStateNotReady']),
  // A record has to be late by two minutes.
  cause(stopPart('clickhouse'), ['RastroInsertErrors', 'RastroConsumerLag'], 5 * MINUTE_MS, [
    'RastroConsumerLag',
  ]),
];

function cause(
  fault: Fault, rings: readonly string[], msMax: number, ends: readonly string[] = [],
): Cause {
  return { fault, rings, msMax, ends };
}

function nothing(): Fault {
  return {
    name: 'calls as usual, a stranger and a defect', target: 'the platform',
    begin: () => undefined,
  };
}

/** Processes that are stopped, and started again at the end. */
function away(target: string, names: readonly ProcessName[]): Fault {
  const all = async (
    cluster: TestCluster, work: (process: ClusterProcess) => Promise<unknown>,
  ): Promise<void> => {
    await Promise.all(names.map((name) => work(cluster.process(name))));
  };
  return {
    name: 'away', target,
    begin: ({ cluster }) => all(cluster, ({ part }) => part.stop()),
    end: ({ cluster }) => all(cluster, ({ part }) => part.start()),
  };
}

/** `kill -9` again and again until the end, each time when it has been ready for a while. */
function killedAgain(name: ProcessName): Fault {
  const { begin, end } = kill(name);
  let isOver = false;
  let kills = Promise.resolve();
  return {
    name: 'kill -9 again and again', target: name,
    begin(env) {
      const killOn = async (): Promise<void> => {
        while (!isOver) {
          await begin(env);
          await end?.(env);
          await underLoad(LIFE_MS);
        }
      };
      kills = killOn();
      // What fails is said at the end, which waits for it.
      kills.catch(() => undefined);
    },
    async end() {
      isOver = true;
      await kills;
    },
  };
}

/** FLUSHALL while the log, which has everything, does not answer. */
function emptyWithoutLog(): Fault {
  const hang = hangPart('broker-1');
  return {
    name: 'FLUSHALL while the log hangs', target: 'redis',
    async begin(env) {
      await hang.begin(env);
      await env.cluster.raw.flushall();
    },
    end: (env) => hang.end?.(env),
  };
}
