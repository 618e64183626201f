import {
  aclLines, REDIS_MODES, redisRights, sentinelRights, watcherRights, type RedisUser,
} from '../redis/rights.ts';
import type { Yaml } from './yaml.ts';

const FOLDER = 'infra/redis/generated';

/** No one logs in without a user of their own. */
const NO_DEFAULT = 'user default off';

/** An `aclfile` for the servers of each mode, and for Sentinels; hashes of passwords are yours. */
export function redisUserFiles(): Readonly<Record<string, string>> {
  const hashOf = (user: RedisUser): string => `SHA256_OF_THE_PASSWORD_OF_${user.toUpperCase()}`;
  const file = (rights: Parameters<typeof aclLines>[0]): string =>
    [NO_DEFAULT, ...aclLines(rights, hashOf), ''].join('\n');
  return Object.fromEntries([
    ...REDIS_MODES.map((mode) => [`${FOLDER}/${mode}.acl`, file(new Map([...redisRights(mode), ...watcherRights()]))] as const),
    [`${FOLDER}/of-sentinels.acl`, file(sentinelRights())] as const,
  ]);
}

/** The same file for the nodes of a cluster as a Secret, with passwords out of the store. */
export function redisUserSecret(): readonly Yaml[] {
  const rights = new Map([...redisRights('cluster'), ...watcherRights()]);
  const lines = aclLines(rights, (user) => `{{ .${user} | sha256sum }}`);
  return [{
    '#': 'Users of the nodes of a Redis Cluster, to be mounted as their aclfile.',
    'apiVersion': 'external-secrets.io/v1',
    'kind': 'ExternalSecret',
    'metadata': { name: 'rastro-redis-users' },
    'spec': {
      refreshInterval: '1h',
      secretStoreRef: { kind: 'ClusterSecretStore', name: 'rastro' },
      target: {
        name: 'rastro-redis-users',
        creationPolicy: 'Owner',
        template: {
          engineVersion: 'v2',
          data: { 'users.acl': [NO_DEFAULT, ...lines, ''].join('\n') },
        },
      },
      data: [...rights.keys()].map((user) => ({
        secretKey: user, remoteRef: { key: `rastro/redis-password-${user}` },
      })),
    },
  }];
}
