import { createHash } from 'node:crypto';
import type { Passwords } from './credentials.ts';
import type { StackEnv } from './stack-env.ts';

/** Who logs in at the local log; what each may do there comes from the catalog. */
export const KAFKA_USERS = ['gateways', 'workers', 'operator'] as const;

/** Who logs in at the local state store. */
export const REDIS_USERS = ['gateways', 'workers'] as const;

/** Name of a deployable that has users of its own in the parts. */
export type ServiceUser = (typeof KAFKA_USERS)[number];

/** Patterns of keys: the keys of a shard, and what workers alone keep beside the shards. */
const IN_SHARDS = '~{s*';
const BESIDE_SHARDS = '~pending-inserts:*';

/**
 * What a service may do in Redis: read and write the keys it names, run scripts, and ask for the
 * server's id and its eviction policy. Not even a script of it may list keys, flush, change the
 * configuration, debug, replicate or manage users.
 */
const COMMANDS = [
  'resetchannels', '-@all', '+@read', '+@write', '+@connection', '+time',
  '-@dangerous', '+info', '+config|get', '-@scripting', '+eval', '+evalsha',
];

/** The users as Redis reads them from its `aclfile`; the default one is the launcher's own. */
export function redisUsersFile(passwords: Passwords<(typeof REDIS_USERS)[number]>): string {
  const hashed = (password: string): string =>
    `#${createHash('sha256').update(password).digest('hex')}`;
  const userLine = (name: (typeof REDIS_USERS)[number], keys: readonly string[]): string =>
    ['user', name, 'on', hashed(passwords[name]), ...keys, ...COMMANDS].join(' ');
  return [
    'user default on nopass ~* &* +@all',
    userLine('gateways', [IN_SHARDS]),
    userLine('workers', [IN_SHARDS, BESIDE_SHARDS]),
    '',
  ].join('\n');
}

/**
 * How a service reaches the log and the state store under its own user. Where a part runs
 * elsewhere and has no user for the service, it gets the plain address.
 */
export function accessOf(env: StackEnv, user: ServiceUser): Readonly<Record<string, string>> {
  const password = {
    gateways: env.KAFKA_GATEWAYS_PASSWORD,
    workers: env.KAFKA_WORKERS_PASSWORD,
    operator: env.KAFKA_OPERATOR_PASSWORD,
  }[user];
  const redis = user === 'gateways' ? env.REDIS_GATEWAYS_URL : env.REDIS_WORKERS_URL;
  return {
    REDIS_URL: redis === '' ? env.REDIS_URL : redis,
    ...(password === ''
      ? { KAFKA_BROKERS: env.KAFKA_BROKERS }
      : {
          KAFKA_BROKERS: env.KAFKA_SASL_BROKERS,
          KAFKA_SASL_MECHANISM: 'PLAIN',
          KAFKA_SASL_USERNAME: user,
          KAFKA_SASL_PASSWORD: password,
        }),
  };
}
