import { createHash } from 'node:crypto';
import { waitFor } from '../../../infra/local/wait.ts';
import type { OnClose } from '../../../infra/local/processes/start-platform.ts';
import { aclLines, sentinelRights } from '../../../infra/redis/rights.ts';
import type { ClusterPorts } from '../cluster/cluster-ports.ts';
import { untilWhole, type ReplicatedState, type StateServer } from './cluster-state.ts';
import { allStarted, serverSpec, startServer, startWith, type ServerSpec } from './replicated-state.ts';

const PRIMARY_NAME = 'rastro';
/** As docs/how-to/deploy.md says: longer than a silent server is left. */
const DOWN_AFTER_MS = 1_500;
const SERVERS = 3;
const SENTINELS = 3;
const SERVER_PORT = 30;
const SENTINEL_PORT = 33;
const KNOWN_MS_MAX = 30_000;

/** Starts a primary and two replicas under three Sentinels, with the users of the services. */
export async function startSentinels(
  dir: string, ports: ClusterPorts, onClose: OnClose,
): Promise<ReplicatedState> {
  const spec = await serverSpec(dir, onClose);
  const first = ports.at(SERVER_PORT);
  const servers = await allStarted(Array.from({ length: SERVERS }, (_, at) => startServer(spec, {
    name: `redis-${at + 1}`, port: ports.at(SERVER_PORT + at), mode: 'sentinel', lines: [
      // A primary that hears from no replica answers no call that may write.
      'min-replicas-to-write 1', 'min-replicas-max-lag 1',
      ...(at === 0 ? [] : [`replicaof 127.0.0.1 ${first}`]),
    ],
  })));
  const sentinels = await allStarted(Array.from({ length: SENTINELS }, (_, at) =>
    startSentinel(spec, at, ports.at(SENTINEL_PORT + at), first)));
  const state: ReplicatedState = {
    mode: 'sentinel', servers, primaries: () => primaryOf(servers, sentinels),
    accessOf: (role) => ({
      // Sentinels say where the primary is, so the address names no server.
      REDIS_URL: `redis://${role}:${spec.passwords[role]}@sentinels`,
      RASTRO_REDIS_SENTINELS: sentinels.map(({ url }) => new URL(url).host).join(','),
      RASTRO_REDIS_SENTINEL_PRIMARY: PRIMARY_NAME,
      RASTRO_REDIS_SENTINEL_USERNAME: role,
      RASTRO_REDIS_SENTINEL_PASSWORD: spec.passwords[role],
    }),
  };
  await untilWhole(state);
  await waitFor(() => areKnown(sentinels), {
    what: 'The Sentinels with all that they watch', deadlineMs: KNOWN_MS_MAX,
  });
  return state;
}

function startSentinel(
  spec: ServerSpec, at: number, port: number, primaryPort: number,
): Promise<StateServer> {
  const { passwords } = spec;
  const users = ['user default on nopass ~* &* +@all', ...aclLines(sentinelRights(), (user) =>
    createHash('sha256').update(passwords[user]).digest('hex')), ''].join('\n');
  return startWith(spec, { name: `sentinel-${at + 1}`, port }, users, ['--sentinel'], [
    `sentinel monitor ${PRIMARY_NAME} 127.0.0.1 ${primaryPort} 2`,
    `sentinel down-after-milliseconds ${PRIMARY_NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${PRIMARY_NAME} 6000`,
    `sentinel auth-user ${PRIMARY_NAME} sentinel`,
    `sentinel auth-pass ${PRIMARY_NAME} ${passwords.sentinel}`,
  ]);
}

async function primaryOf(
  servers: readonly StateServer[], [sentinel]: readonly StateServer[],
): Promise<readonly StateServer[]> {
  const found = await sentinel?.raw.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', PRIMARY_NAME);
  const [, port] = found as readonly string[];
  return servers.filter(({ url }) => new URL(url).port === port);
}

async function areKnown(sentinels: readonly StateServer[]): Promise<boolean> {
  const known = await Promise.all(sentinels.map(async ({ raw }) => {
    const others = await raw.call('SENTINEL', 'SENTINELS', PRIMARY_NAME) as readonly unknown[];
    const replicas = await raw.call('SENTINEL', 'REPLICAS', PRIMARY_NAME) as readonly unknown[];
    return others.length === SENTINELS - 1 && replicas.length === SERVERS - 1;
  }));
  return known.every(Boolean);
}
