import type { FakeStates, StatePorts } from '../../support/fake-states.ts';

/** How a process reaches a port: `send` makes every call an exchange, `bend` lets a mutant in. */
export interface Reach {
  send<Port extends object>(name: string, port: Port): Port;
  bend(name: string, port: object): object;
}

/** The stores of the product as a process has them, over the store that all processes share. */
export function statesOfProcess(shared: FakeStates, { send, bend }: Reach): StatePorts {
  const { store: { read, commit, takeDue }, tokenLimits, tenantLimits, admission } = shared;
  const { lastFixes, traceables, readiness, digest, limitUse, refusals, taken } = shared;
  const ports = shared.over({
    digest,
    store: bend('store', send('store', { read, commit, takeDue })) as StatePorts['store'],
    tokenLimits: send('tokenLimits', tokenLimits),
    tenantLimits: send('tenantLimits', tenantLimits),
    limitUse: send('limitUse', limitUse),
    refusals: send('refusals', refusals),
    taken: send('taken', taken),
    admission: send('admission', admission),
    lastFixes: send('positions', lastFixes),
    traceables: send('traceables', traceables),
    readiness: send('readiness', readiness),
  });
  const bent = Object.entries(ports).map(([name, port]: [string, object]) => (
    [name, name === 'store' ? port : bend(name, port)]
  ));
  return Object.fromEntries(bent) as StatePorts;
}
