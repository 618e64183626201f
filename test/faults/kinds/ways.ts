import type { FaultProxy, ProxyFault } from '../house/fault-proxy.ts';
import type { LogUser } from '../house/house-log.ts';
import type { Fault, World } from '../scenario.ts';

/** Something happens on the way of one user to the log. */
export function onTheWayToTheLog(user: LogUser, fault: ProxyFault): Fault {
  return onTheWay(`${user} to log`, fault, ({ house }) => house.log.proxiesOf(user));
}

/** Something happens on the way of one user to the state store. */
export function onTheWayToState(user: LogUser, fault: ProxyFault): Fault {
  return onTheWay(`${user} to state`, fault, ({ house }) => [house.redisProxies[user]]);
}

/** Something happens on the way to the analytical store. */
export function onTheWayToTables(fault: ProxyFault): Fault {
  return onTheWay('workers to tables', fault, ({ house }) => [house.clickhouseProxy]);
}

function onTheWay(
  target: string, fault: ProxyFault, proxiesOf: (world: World) => readonly FaultProxy[],
): Fault {
  const set = (world: World, next: ProxyFault | undefined): void => {
    for (const proxy of proxiesOf(world)) proxy.set(next);
  };
  return {
    name: nameOf(fault), target,
    begin: (world) => set(world, fault),
    end: (world) => set(world, undefined),
    ...(fault.kind === 'cut'
      ? { hasStruck: (world: World) => proxiesOf(world).some((proxy) => proxy.cuts() > 0) }
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
