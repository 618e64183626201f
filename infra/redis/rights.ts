/** How a state store is deployed: one server, servers under Sentinels, or a Redis Cluster. */
export type RedisMode = 'single' | 'sentinel' | 'cluster';

/** All modes, in the order of the pages. */
export const REDIS_MODES: readonly RedisMode[] = ['single', 'sentinel', 'cluster'];

/** Who of ours logs in at the state store: the services, and the operator's command line. */
export const REDIS_SERVICES = ['gateways', 'workers', 'operator'] as const;

/**
 * Everyone who logs in at a store: ours, replicas, Sentinels, the exporter of metrics, and what
 * joins the nodes of a cluster.
 */
export type RedisUser =
  (typeof REDIS_SERVICES)[number] | 'replica' | 'sentinel' | 'watcher' | 'joiner';

/** Patterns of keys: the keys of a shard, and what workers alone keep beside the shards. */
const IN_SHARDS = '~{s*';
const BESIDE_SHARDS = '~pending-inserts:*';

/**
 * What a service may do in Redis: read and write the keys it names, run scripts, and ask for the
 * server's id and its configuration. Not even a script of it may list keys, flush, change the
 * configuration, debug, replicate or manage users.
 */
const SERVICE = [
  'resetchannels', '-@all', '+@read', '+@write', '+@connection', '+time',
  '-@dangerous', '+info', '+config|get', '-@scripting', '+eval', '+evalsha',
];

/** What the command line does: read the shards, also by scripts, which may write nothing either. */
const OPERATOR = SERVICE.filter((rule) => rule !== '+@write');

/** In a cluster a service also asks which node has which slots, and whether the cluster works. */
const IN_CLUSTER = ['+cluster|slots', '+cluster|info'];

/** What a replica does at its primary. */
const REPLICA = ['resetchannels', '-@all', '+psync', '+replconf', '+ping'];

/** What a Sentinel does at the servers that it watches, as the manual of Sentinel lists it. */
const SENTINEL = [
  'allchannels', '-@all', '+multi', '+exec', '+slaveof', '+ping', '+subscribe', '+publish',
  '+config|rewrite', '+role', '+info', '+client|setname', '+client|kill', '+script|kill',
];

/** What an exporter of metrics asks: no key, and nothing of what is kept. */
const WATCHER = [
  'resetkeys', 'resetchannels', '-@all', '+ping', '+info', '+config|get', '+client|setname',
];

/** What makes the nodes one cluster, and has them meet again: no key, nothing of what is kept. */
const JOINER = [
  'resetkeys', 'resetchannels', '-@all', '+ping', '+info', '+cluster|info', '+cluster|nodes',
  '+cluster|meet', '+cluster|addslotsrange', '+cluster|replicate',
];

/** What a service does at a Sentinel: ask for the primary, and hear when another one takes over. */
const AT_SENTINEL = [
  'resetchannels', '&+switch-master', '-@all', '+@connection', '+subscribe',
  '+sentinel|get-master-addr-by-name', '+sentinel|sentinels',
];

/** The users of a server by their names, with what each may do, as in a line of an `aclfile`. */
export function redisRights(mode: RedisMode): ReadonlyMap<RedisUser, readonly string[]> {
  const inMode = mode === 'cluster' ? IN_CLUSTER : [];
  return new Map<RedisUser, readonly string[]>([
    ['gateways', [IN_SHARDS, ...SERVICE, ...inMode]],
    ['workers', [IN_SHARDS, BESIDE_SHARDS, ...SERVICE, ...inMode]],
    ['operator', [IN_SHARDS, ...OPERATOR, ...inMode]],
    ...(mode === 'single' ? [] : [['replica', REPLICA] as const]),
    ...(mode === 'sentinel' ? [['sentinel', SENTINEL] as const] : []),
    ...(mode === 'cluster' ? [['joiner', JOINER] as const] : []),
  ]);
}

/** Who reads metrics of a server, beside its other users. */
export function watcherRights(): ReadonlyMap<RedisUser, readonly string[]> {
  return new Map<RedisUser, readonly string[]>([['watcher', WATCHER]]);
}

/** The users of a Sentinel itself. */
export function sentinelRights(): ReadonlyMap<RedisUser, readonly string[]> {
  return new Map(REDIS_SERVICES.map((name) => [name, AT_SENTINEL] as const));
}

/**
 * Lines of an `aclfile` for users. `hashOf` gives the SHA-256 of a user's password in hex, or what
 * another tool puts it in for.
 */
export function aclLines(
  rights: ReadonlyMap<RedisUser, readonly string[]>, hashOf: (user: RedisUser) => string,
): readonly string[] {
  return [...rights].map(([name, rules]) =>
    ['user', name, 'on', `#${hashOf(name)}`, ...rules].join(' '));
}
