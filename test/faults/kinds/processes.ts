import { waitFor } from '../../../infra/local/wait.ts';
import type { ClusterProcess, ProcessName } from '../cluster/cluster-processes.ts';
import { groupsAreStable } from '../run/lag.ts';
import { readsOf } from '../run/reads.ts';
import type { Fault } from '../scenario.ts';
import type { Failpoint } from './failpoints.ts';

const GROUPS_MS_MAX = 120_000;

/** `kill -9`; the process is started again as by any orchestrator. */
export function kill(name: ProcessName): Fault {
  return {
    name: 'kill -9', target: name,
    begin: ({ cluster }) => ofReady(cluster.process(name), ({ part }) => part.kill()),
    end: ({ cluster }) => cluster.process(name).part.ready(),
  };
}

/** `kill -9` of itself at the nth passing of a step, `STEP/OF` as in services/adapters/signals. */
export function killAt(name: ProcessName, at: Failpoint, nth = 1): Fault {
  return armed(name, `kill at ${at}`, `${at} ${nth} kill`);
}

/** The event loop stands still for so long, right at a step. */
export function stallAt(name: ProcessName, at: Failpoint, ms: number, nth = 1): Fault {
  return armed(name, `stall ${ms} ms at ${at}`, `${at} ${nth} stall ${ms}`);
}

/** SIGSTOP right at a step, SIGCONT at the end: a long pause of the machine. */
export function freezeAt(name: ProcessName, at: Failpoint, nth = 1): Fault {
  const { begin, hasStruck = () => true } = armed(name, '', `${at} ${nth} stop`);
  return {
    name: `freeze at ${at}`, target: name, begin, hasStruck,
    end: ({ cluster }) => thaw(cluster.process(name)),
  };
}

/** SIGSTOP, and SIGCONT at the end. */
export function freeze(name: ProcessName): Fault {
  return {
    name: 'SIGSTOP', target: name,
    begin: ({ cluster }) => signal(cluster.process(name), 'SIGSTOP'),
    end: ({ cluster }) => thaw(cluster.process(name)),
  };
}

/** SIGTERM, and the process is started again when it has ended: one step of a rolling restart. */
export function restart(name: ProcessName): Fault {
  return {
    name: 'SIGTERM', target: name,
    begin: ({ cluster }) => ofReady(cluster.process(name), ({ part }) => part.restart()),
  };
}

/** As in an upgrade: each process is ready and has its share before the next one ends. */
export function restartOneByOne(names: readonly ProcessName[]): Fault {
  return {
    name: 'SIGTERM one after the other', target: 'every process',
    async begin({ cluster }) {
      const reads = await readsOf(cluster.processes.values());
      for (const name of names) {
        await cluster.process(name).part.restart();
        await waitFor(() => groupsAreStable(cluster.kafka, reads), {
          what: `The groups after the restart of ${name}`, deadlineMs: GROUPS_MS_MAX,
        });
      }
    },
  };
}

/** The process sees a time that is off. */
export function wrongClock(name: ProcessName, offsetMs: number): Fault {
  return {
    name: `clock ${offsetMs > 0 ? '+' : ''}${offsetMs / 1_000} s`, target: name,
    begin: ({ cluster }) => cluster.process(name).shiftClock(offsetMs),
    end: ({ cluster }) => cluster.process(name).shiftClock(0),
  };
}

/** Lets a stopped process go on, and gives up what still waits for its chance. */
export function thaw(process: ClusterProcess): void {
  process.disarm();
  signal(process, 'SIGCONT');
}

/** What is starting is not hit again: it could be taken for a process that cannot start. */
async function ofReady(
  process: ClusterProcess, act: (process: ClusterProcess) => Promise<void>,
): Promise<void> {
  await process.part.ready();
  await act(process);
}

function armed(name: ProcessName, says: string, failpoint: string): Fault {
  return {
    name: says, target: name,
    begin: ({ cluster }) => cluster.process(name).arm(failpoint),
    end: ({ cluster }) => cluster.process(name).disarm(),
    hasStruck: ({ cluster }) => cluster.process(name).hasStruck(),
  };
}

function signal({ part }: ClusterProcess, name: NodeJS.Signals): void {
  const pid = part.pid();
  if (pid !== undefined) process.kill(pid, name);
}
