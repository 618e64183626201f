import { join } from 'node:path';
import type { ClusterSecrets } from './cluster-processes.ts';

/** Time runs faster here than on the road; what is not said is as in production. */
const SHARED = { RASTRO_DRAIN_MS_MAX: '5000', RASTRO_LOG_LEVEL: 'info' };
const NO_QUOTA = '1000000';

/** Where a process would listen: a job of the operator listens nowhere. */
export const OF_NO_PROCESS = { CLICKHOUSE_DATABASE: 'tracking', RASTRO_WORKERS_ADMIN_PORT: '0' };

/** Settings of a gateway. */
export function gatewayEnv(secrets: ClusterSecrets, dir: string): Record<string, string> {
  return {
    ...SHARED,
    RASTRO_SECRET_PEPPER: secrets.secretPepper,
    RASTRO_PERSONAL_KEY: `k1:${secrets.vaultKey}`,
    RASTRO_IMAGE_DIR: join(dir, 'images'),
    RASTRO_HTTP_REQUEST_DEADLINE_MS: '5000',
    // On a machine that carries all of this at once, a decision takes its time.
    RASTRO_RACE_WAIT_MS_MAX: '4500',
    // Far longer than a balancer believes an old answer (workload/balancer.ts).
    RASTRO_LAME_DUCK_MS: '3000',
    RASTRO_TOKEN_REQUESTS_PER_MINUTE: NO_QUOTA,
    RASTRO_TOKEN_REQUESTS_BURST: NO_QUOTA,
    RASTRO_REQUESTS_PER_SECOND: NO_QUOTA,
    RASTRO_REQUESTS_BURST: NO_QUOTA,
    RASTRO_NOTIFICATIONS_PER_SECOND: NO_QUOTA,
    RASTRO_NOTIFICATIONS_BURST: NO_QUOTA,
    RASTRO_BYTES_PER_SECOND: NO_QUOTA,
    RASTRO_BYTES_BURST: NO_QUOTA,
    RASTRO_DEVICE_REQUESTS_PER_SECOND: NO_QUOTA,
    RASTRO_DEVICE_REQUESTS_BURST: NO_QUOTA,
  };
}

/** Settings of a process of workers. */
export function workerEnv(secrets: ClusterSecrets): Record<string, string> {
  return {
    ...SHARED,
    RASTRO_VAULT_KEY: secrets.vaultKey,
    RASTRO_PERSONAL_KEY: `k1:${secrets.vaultKey}`,
    RASTRO_INSERT_LINGER_MS: '200',
    RASTRO_PARTY_REQUEST_MS_MAX: '2000',
    RASTRO_COMMANDS_BACKOFF_FIRST_MS: '100',
    RASTRO_COMMANDS_BACKOFF_MS_MAX: '2000',
    RASTRO_COMMANDS_THROTTLED_MS: '1000',
    RASTRO_COMMANDS_LEASE_MS: '6000',
    RASTRO_REBUILD_LEASE_MS: '5000',
  };
}
