import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { startGateways } from '../../../infra/local/processes/services.ts';
import type { BenchLog } from '../bench-log.ts';
import type { BenchHouse } from '../house.ts';
import type { Subject } from '../subject.ts';

/** Ways for our gateways to write the log besides the usual one. */
export const LOG_WAYS = {
  'rastro:kafkajs': { RASTRO_KAFKA_CLIENT: 'kafkajs' },
  'rastro:platformatic': { RASTRO_KAFKA_CLIENT: 'platformatic', RASTRO_KAFKA_OWN_BATCHES: 'false' },
} as const;

/** The gateway that the house runs, as it is by default. */
export function ourGateway(house: BenchHouse, log: BenchLog): Subject {
  return subjectOf('rastro', new URL(house.system.url), house, log, {
    pid: () => house.pidOfService(house.system.gateways), close: () => Promise.resolve(),
  });
}

/** One more gateway of the same house and code, which writes the log another way. */
export async function startOurGateway(
  name: keyof typeof LOG_WAYS, port: number, house: BenchHouse, log: BenchLog,
): Promise<Subject> {
  const { around, identity } = house.system;
  const gateways = await startGateways({
    ...around,
    dir: `${around.dir}/${name.replace(':', '-')}`,
    ports: { ...around.ports, http: port, gatewayAdmin: port + 1 },
    gatewaySettings: { ...around.gatewaySettings, ...LOG_WAYS[name] },
  }, identity.clientId);
  return subjectOf(name, new URL(`http://127.0.0.1:${port}`), house, log, {
    pid: () => house.pidOfService(gateways), close: () => gateways.stop(),
  });
}

function subjectOf(
  name: string, { hostname, port }: URL, { path }: BenchHouse, log: BenchLog,
  { pid, close }: { pid: () => number; close: () => Promise<unknown> },
): Subject {
  return {
    name, host: hostname, port: Number(port), path,
    pids: () => [pid()],
    logged: () => log.recordsOf(TOPICS.locations.name),
    close: async () => { await close(); },
  };
}
