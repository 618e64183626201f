import type { Part } from '../../../infra/local/part.ts';
import type { TestCluster } from '../cluster/cluster.ts';
import type { Fault } from '../scenario.ts';

/** A part beside the brokers, or one broker. */
export type PartTarget = 'redis' | 'clickhouse' | 'registry' | 'broker-1' | 'broker-2' | 'broker-3';

/** `kill -9`; the part restarts automatically with what it had on disk. */
export function killPart(target: PartTarget): Fault {
  return {
    name: 'kill -9', target,
    begin: ({ cluster }) => partIn(cluster, target).kill(),
    end: ({ cluster }) => standUp(partIn(cluster, target)),
  };
}

/** Stopped in order, and started again at the end. */
export function stopPart(target: PartTarget): Fault {
  return {
    name: 'down', target,
    begin: ({ cluster }) => partIn(cluster, target).stop(),
    end: ({ cluster }) => partIn(cluster, target).start(),
  };
}

/** SIGSTOP, and SIGCONT at the end. */
export function hangPart(target: PartTarget): Fault {
  return {
    name: 'hangs', target,
    begin: ({ cluster }) => send(partIn(cluster, target), 'SIGSTOP'),
    end: ({ cluster }) => send(partIn(cluster, target), 'SIGCONT'),
  };
}

/** The running part of a name. */
export function partIn(
  { log, redis, clickhouse, registry }: TestCluster, target: PartTarget,
): Part {
  switch (target) {
    case 'redis': return redis;
    case 'clickhouse': return clickhouse;
    case 'registry': return registry;
    case 'broker-1':
    case 'broker-2':
    case 'broker-3': {
      const broker = log.brokers[Number(target.slice(-1)) - 1];
      if (broker === undefined) throw new Error(`No ${target} in this cluster.`);
      return broker;
    }
  }
}

/** `kill -9` of a part that stays away until it is started again. */
export async function killForGood(part: Part): Promise<void> {
  const gone = part.kill();
  await part.stop(); // At once, or the supervisor would bring it back.
  await gone;
}

/** Waits until the part works again, and starts it where it was given up. */
export async function standUp(part: Part): Promise<void> {
  try {
    await part.ready();
  } catch {
    await part.start(); // It was given up, or stopped: it is wanted again now.
  }
}

function send(part: Part, signal: NodeJS.Signals): void {
  const pid = part.pid();
  if (pid !== undefined) process.kill(pid, signal);
}
