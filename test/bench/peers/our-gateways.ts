import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { gatewaysPlan } from '../../../infra/local/processes/local-plans.ts';
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
  return subjectOf('rastro', new URL(house.local.url), house, log, {
    pid: () => house.pidOfService(house.local.gateways), close: () => Promise.resolve(),
  });
}

/** One more gateway of the same house and code, which writes the log another way. */
export async function startOurGateway(
  name: keyof typeof LOG_WAYS, port: number, house: BenchHouse, log: BenchLog,
): Promise<Subject> {
  const { local } = house;
  const { part: gateways } = await local.start({
    ...gatewaysPlan({
      ...local, gatewaySettings: { ...local.gatewaySettings, ...LOG_WAYS[name] },
    }),
    name, folder: name.replace(':', '-'), httpPort: port, adminPort: port + 1,
  });
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
