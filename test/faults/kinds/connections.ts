import type { FaultProxy, ProxyFault } from '../cluster/fault-proxy.ts';
import type { LogUser } from '../cluster/cluster-log.ts';
import type { Fault, FaultEnv } from '../scenario.ts';

/** A fault between one user and the log. */
export function onTheWayToTheLog(user: LogUser, fault: ProxyFault): Fault {
  return onTheWay(`${user} to log`, fault, ({ cluster }) => cluster.log.proxiesOf(user));
}

/** A fault between one user and the state store. */
export function onTheWayToState(user: LogUser, fault: ProxyFault): Fault {
  return onTheWay(`${user} to state`, fault, ({ cluster }) => {
    const proxy = cluster.redisProxies[user];
    if (proxy === undefined) throw new Error('No proxy is before this state store.');
    return [proxy];
  });
}

/** A fault between the workers and the analytical store. */
export function onTheWayToTables(fault: ProxyFault): Fault {
  return onTheWay('workers to tables', fault, ({ cluster }) => [cluster.clickhouseProxy]);
}

function onTheWay(
  target: string, fault: ProxyFault, proxiesOf: (env: FaultEnv) => readonly FaultProxy[],
): Fault {
  const set = (env: FaultEnv, next: ProxyFault | undefined): void => {
    for (const proxy of proxiesOf(env)) proxy.set(next);
  };
  return {
    name: nameOf(fault), target,
    begin: (env) => set(env, fault),
    end: (env) => set(env, undefined),
    ...(fault.kind === 'cut'
      ? { hasStruck: (env: FaultEnv) => proxiesOf(env).some((proxy) => proxy.cuts() > 0) }
      : {}),
  };
}

function nameOf(fault: ProxyFault): string {
  switch (fault.kind) {
    case 'delay': return `delay ${fault.ms} ms`;
    case 'blackhole': return `blackhole ${fault.ways.join(' and ')}`;
    case 'refuse': return 'reset every connection';
    case 'cut': return `cut ${fault.way} after ${fault.bytes} bytes`;
    case 'half-open': return 'half-open';
  }
}
