import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { gatewaysPlan } from '../../../infra/local/processes/local-plans.ts';
import { lastOutput } from '../../../infra/local/child.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import { LIVE_LIMITS } from '../../../services/gateways/live/limits.ts';
import type { BenchLog } from '../bench-log.ts';
import type { BenchCluster } from '../cluster.ts';
import type { BenchSubject } from '../subject.ts';

interface Way {
  readonly settings: Readonly<Record<string, string>>;
  readonly runs: readonly string[];
}

/** Ways to run our gateways besides the usual one: to write the log, or with the live feeds. */
const WAYS = {
  'rastro:kafkajs': { settings: { RASTRO_KAFKA_CLIENT: 'kafkajs' }, runs: ['all'] },
  'rastro:platformatic': {
    settings: { RASTRO_KAFKA_CLIENT: 'platformatic', RASTRO_KAFKA_OWN_BATCHES: 'false' },
    runs: ['all'],
  },
  'rastro:live': { settings: {}, runs: ['all', 'live'] },
} as const satisfies Readonly<Record<string, Way>>;

const OUTPUT_MAX = 200_000;
const REST_MS_MAX = 2 * LIVE_LIMITS.restAfterMs;

/** The gateway that the cluster runs by default. */
export function ourGateway(cluster: BenchCluster, log: BenchLog): BenchSubject {
  return subjectOf('rastro', new URL(cluster.local.url), cluster, log, {
    pid: () => cluster.pidOfService(cluster.local.gateways), close: () => Promise.resolve(),
  });
}

/**
 * One more gateway of the same cluster and code that runs in another way. Its live feeds, if it has
 * them, rest, as no caller follows.
 */
export async function startOurGateway(
  name: keyof typeof WAYS, port: number, cluster: BenchCluster, log: BenchLog,
): Promise<BenchSubject> {
  const { local } = cluster;
  const { settings, runs }: Way = WAYS[name];
  const { part: gateways, dir } = await local.start({
    ...gatewaysPlan({ ...local, gatewaySettings: { ...local.gatewaySettings, ...settings } }),
    runs, name, folder: name.replace(':', '-'), httpPort: port, adminPort: port + 1,
  });
  if (runs.includes('live')) {
    await waitFor(() => lastOutput(dir, OUTPUT_MAX).includes('live_rested'), {
      what: 'The rest of the live feeds', deadlineMs: REST_MS_MAX,
    });
  }
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
