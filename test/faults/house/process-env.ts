import { join, resolve } from 'node:path';
import type { StackEnv } from '../../../infra/local/stack-env.ts';
import type { HouseSecrets } from './house-processes.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');

/** Addresses as one process sees them: through its proxies. */
export type Ways = StackEnv;

/** Time runs faster here than on the road; what is not said is as in production. */
const SHARED = { RASTRO_DRAIN_MS_MAX: '5000', RASTRO_LOG_LEVEL: 'info' };
const NO_QUOTA = '1000000';

/** Settings of a gateway. */
export function gatewayEnv(
  ways: Ways, secrets: HouseSecrets,
  own: { readonly httpPort: number; readonly adminPort: number; readonly dir: string },
): Record<string, string> {
  return {
    ...ways, ...SHARED,
    RASTRO_HTTP_PORT: String(own.httpPort),
    RASTRO_GATEWAYS_ADMIN_PORT: String(own.adminPort),
    RASTRO_SECRET_PEPPER: secrets.secretPepper,
    RASTRO_PERSONAL_KEY: `k1:${secrets.vaultKey}`,
    RASTRO_IMAGE_DIR: join(own.dir, 'images'),
    RASTRO_HTTP_REQUEST_DEADLINE_MS: '5000',
    // On a machine that carries all of this at once, a decision takes its time.
    RASTRO_RACE_WAIT_MS_MAX: '4500',
    // Far longer than a balancer believes an old answer (workload/balancer.ts).
    RASTRO_LAME_DUCK_MS: '3000',
    RASTRO_TOKEN_REQUESTS_PER_MINUTE: NO_QUOTA,
    RASTRO_TOKEN_REQUESTS_BURST: NO_QUOTA,
    RASTRO_REQUESTS_PER_SECOND: NO_QUOTA,
    RASTRO_REQUESTS_BURST: NO_QUOTA,
    RASTRO_DEVICE_REQUESTS_PER_SECOND: NO_QUOTA,
    RASTRO_DEVICE_REQUESTS_BURST: NO_QUOTA,
  };
}

/** Settings of a process of workers. */
export function workerEnv(
  ways: Ways, secrets: HouseSecrets, adminPort: number,
): Record<string, string> {
  return {
    ...ways, ...SHARED,
    CLICKHOUSE_DATABASE: 'tracking',
    RASTRO_WORKERS_ADMIN_PORT: String(adminPort),
    RASTRO_VAULT_KEY: secrets.vaultKey,
    RASTRO_PERSONAL_KEY: `k1:${secrets.vaultKey}`,
    RASTRO_INSERT_LINGER_MS: '200',
    RASTRO_DISPATCH_REQUEST_MS_MAX: '2000',
    RASTRO_DISPATCH_BACKOFF_FIRST_MS: '100',
    RASTRO_DISPATCH_BACKOFF_MS_MAX: '2000',
    RASTRO_DISPATCH_THROTTLED_MS: '1000',
    RASTRO_DISPATCH_LEASE_MS: '6000',
    RASTRO_REBUILD_LEASE_MS: '5000',
    RASTRO_NOTIFICATION_CODES_FILE:
      join(ROOT_DIR, 'schemas', 'data', 'notification-codes.example.json'),
  };
}
