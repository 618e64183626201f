import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { gatewaysPlan } from '../../../infra/local/processes/local-plans.ts';
import type { BenchLog } from '../bench-log.ts';
import type { BenchCluster } from '../cluster.ts';
import type { BenchSubject } from '../subject.ts';

/** Ways for our gateways to write the log besides the usual one. */
export const LOG_WAYS = {
  'rastro:kafkajs': { RASTRO_KAFKA_CLIENT: 'kafkajs' },
  'rastro:platformatic': { RASTRO_KAFKA_CLIENT: 'platformatic', RASTRO_KAFKA_OWN_BATCHES: 'false' },
} as const;

/** The gateway that the cluster runs by default. */
export function ourGateway(cluster: BenchCluster, log: BenchLog): BenchSubject {
  return subjectOf('rastro', new URL(cluster.local.url), cluster, log, {
    pid: () => cluster.pidOfService(cluster.local.gateways), close: () => Promise.resolve(),
  });
}

/** One more gateway of the same cluster and code that writes the log with another client. */
export async function startOurGateway(
  name: keyof typeof LOG_WAYS, port: number, cluster: BenchCluster, log: BenchLog,
): Promise<BenchSubject> {
  const { local } = cluster;
  const { part: gateways } = await local.start({
    ...gatewaysPlan({
      ...local, gatewaySettings: { ...local.gatewaySettings, ...LOG_WAYS[name] },
    }),
    runs: ['all'], name, folder: name.replace(':', '-'), httpPort: port, adminPort: port + 1,
  });
  return subjectOf(name, new URL(`http://127.0.0.1:${port}`), cluster, log, {
    pid: () => cluster.pidOfService(gateways), close: () => gateways.stop(),
  });
}

function subjectOf(
  name: string, { hostname, port }: URL, { path }: BenchCluster, log: BenchLog,
  { pid, close }: { pid: () => number; close: () => Promise<unknown> },
): BenchSubject {
  return {
    name, host: hostname, port: Number(port), path,
    pids: () => [pid()],
    logged: () => log.recordsOf(TOPICS.locations.name),
    close: async () => { await close(); },
  };
}
