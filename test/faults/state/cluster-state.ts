import { Redis } from 'ioredis';
import { waitFor } from '../../../infra/local/wait.ts';
import type { Part } from '../../../infra/local/part.ts';
import type { RedisMode } from '../../../infra/redis/rights.ts';
import type { OnClose } from '../../../infra/local/processes/start-platform.ts';

/** One server of the state store. */
export interface StateServer {
  readonly part: Part;
  readonly url: string;
  /** A direct line of the harness, with every right. */
  readonly raw: Redis;
}

/** The state store of a cluster, however it is deployed. */
export interface ClusterState {
  readonly mode: RedisMode;
  readonly servers: readonly StateServer[];
  /** The servers that answer for keys now, as those say who decide it. */
  primaries(): Promise<readonly StateServer[]>;
}

/** A state store of several servers, and how a service finds it with its own user. */
export interface ReplicatedState extends ClusterState {
  accessOf(role: 'gateways' | 'workers'): Readonly<Record<string, string>>;
}

const WHOLE_MS_MAX = 60_000;

/** A line to a server of the state store, which may be down at any time. */
export function openLine(url: string, onClose: OnClose): Redis {
  const raw = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  // Connection errors are expected while a scenario has the server down.
  raw.on('error', () => undefined);
  onClose(() => { raw.disconnect(); });
  return raw;
}

/** The state store of a cluster that has one server only. */
export function singleState(part: Part, url: string, onClose: OnClose): ClusterState {
  const servers = [{ part, url, raw: openLine(url, onClose) }];
  return { mode: 'single', servers, primaries: () => Promise.resolve(servers) };
}

/** The only server. Throws where there are several, which a fault must choose from. */
export function onlyServer({ servers: [server, ...others] }: ClusterState): StateServer {
  if (server === undefined || others.length > 0) {
    throw new Error(`The state store has ${others.length + 1} servers: say which.`);
  }
  return server;
}

/** True when some primary has the key. */
export async function holdsKey(state: ClusterState, key: string): Promise<boolean> {
  const found = await Promise.all((await state.primaries()).map(({ raw }) => raw.keys(key)));
  return found.flat().length > 0;
}

/** Waits until every server runs and each replica has what its primary has. */
export async function untilWhole(state: ClusterState): Promise<void> {
  await waitFor(async () => {
    const primaries = await state.primaries();
    const replicas = state.servers.filter((server) => !primaries.includes(server));
    const roles = await Promise.all(replicas.map(({ raw }) => replicationOf(raw)));
    return roles.every((role) => role.includes('master_link_status:up'));
  }, { what: 'The state store with all its replicas', deadlineMs: WHOLE_MS_MAX });
}

async function replicationOf(raw: Redis): Promise<string> {
  return raw.status === 'ready' ? raw.info('replication') : '';
}
