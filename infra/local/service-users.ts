import { createHash } from 'node:crypto';
import {
  aclLines, REDIS_SERVICES, redisRights, type RedisMode, type RedisUser,
} from '../redis/rights.ts';
import type { StackEnv } from './stack-env.ts';

/** Who logs in at the local log; what each may do there comes from the catalog. */
export const KAFKA_USERS = ['gateways', 'workers', 'operator'] as const;

/** Who logs in at the local state store. */
export const REDIS_USERS = REDIS_SERVICES;

/** Name of a deployable that has users of its own in the parts. */
export type ServiceUser = (typeof KAFKA_USERS)[number];

/** The users as Redis reads them from its `aclfile`; the default one is the launcher's own. */
export function redisUsersFile(
  passwords: Readonly<Partial<Record<RedisUser, string>>>, mode: RedisMode = 'single',
): string {
  const hashOf = (user: RedisUser): string =>
    createHash('sha256').update(passwords[user] ?? '').digest('hex');
  return ['user default on nopass ~* &* +@all', ...aclLines(redisRights(mode), hashOf), '']
    .join('\n');
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
  const redis = {
    gateways: env.REDIS_GATEWAYS_URL,
    workers: env.REDIS_WORKERS_URL,
    operator: env.REDIS_OPERATOR_URL,
  }[user];
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
