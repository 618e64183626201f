import { redisTlsSettings } from './read-tls.ts';
import type { Settings } from './setting.ts';

/** Settings of the state store: where it is, and how it is deployed. */
export const redisSettings = {
  REDIS_URL: {
    type: 'string', pattern: '^rediss?://',
    description: 'Address of the state store. Under Sentinels only its user and database count.',
  },
  ...redisTlsSettings,
  RASTRO_REDIS_CLUSTER: {
    type: 'boolean', default: false, description: 'True when the state store is a Redis Cluster.',
  },
  RASTRO_REDIS_CLUSTER_NODES: {
    type: 'list', default: [],
    description: 'Further nodes of a Redis Cluster, host:port, should that of REDIS_URL be down.',
  },
  RASTRO_REDIS_SENTINELS: {
    type: 'list', default: [],
    description: 'Sentinels that say where the state store is, host:port, separated by commas.',
  },
  RASTRO_REDIS_SENTINEL_PRIMARY: {
    type: 'string', default: 'rastro', minLength: 1,
    description: 'What the Sentinels call the servers of the state store.',
  },
  RASTRO_REDIS_SENTINEL_USERNAME: {
    type: 'string', optional: true, minLength: 1, description: 'Who logs in at the Sentinels.',
  },
  RASTRO_REDIS_SENTINEL_PASSWORD: {
    type: 'string', optional: true, minLength: 1, secret: true,
    description: 'Password of who logs in at the Sentinels.',
  },
  RASTRO_REDIS_SILENT_MS_MAX: {
    type: 'integer', default: 1_000, minimum: 100, maximum: 60_000,
    description: 'In a cluster or under Sentinels: a server that is silent for so long is left. Less'
      + ' than cluster-node-timeout or down-after-milliseconds.',
  },
  RASTRO_REDIS_EVICTION_CHECK: {
    type: 'boolean', default: true,
    description: 'Refuse to start on a state store that may evict keys, or that may answer after'
      + ' another server took over.',
  },
} as const satisfies Settings;
