import { join, resolve } from 'node:path';
import { writeEnvFile } from '../env-file.ts';
import { imageDirOf } from '../processes/local-plans.ts';
import type { LocalStack } from '../processes/local-stack.ts';

/** What the env file and the banner show. */
type Shown = Pick<
  LocalStack, 'dir' | 'url' | 'adminUrl' | 'providerUrl' | 'stack' | 'processes' | 'identity' | 'secrets'
  | 'platform'
>;

/** Writes `DIR/env` with every address and a ready credential, for `set -a; . DIR/env`. */
export function writeEnv(around: Shown): string {
  const { identity, secrets, stack: { env: stackEnv } } = around;
  const path = join(around.dir, 'env');
  writeEnvFile(path, {
    RASTRO_URL: around.url,
    RASTRO_CLIENT_ID: identity.clientId,
    RASTRO_CLIENT_SECRET: identity.clientSecret,
    RASTRO_PROVIDER: identity.provider,
    RASTRO_COUNTRY: identity.country,
    RASTRO_SECRET_PEPPER: secrets.secretPepper,
    RASTRO_VAULT_KEY: secrets.vaultKey,
    RASTRO_PERSONAL_KEY: secrets.personalKey,
    RASTRO_IMAGE_DIR: resolve(imageDirOf(around.dir)),
    RASTRO_IMAGE_KEY: secrets.imageKey,
    RASTRO_PLATFORM_CLIENT_ID: around.platform.clientId,
    RASTRO_PLATFORM_CLIENT_SECRET: around.platform.clientSecret,
    RASTRO_PROVIDER_URL: around.providerUrl,
    RASTRO_PROVIDER_COMMAND_TOKEN: secrets.commandToken,
    ...stackEnv,
  });
  return path;
}

/** Addresses, and where to go on; `link` signs a browser in to the console. */
export function banner(around: Shown, envPath: string, link: string): string {
  const { stack: { env: stackEnv } } = around;
  const workers = [...around.processes.values()].filter(({ kind }) => kind === 'workers')
    .map(({ name, adminUrl }) => `\n  ${name.padEnd(12)} ${adminUrl}/readyz  ${adminUrl}/metrics`);
  return `
Rastro is ready.
  Console      ${link}  (once, within 10 minutes; rastro console link gives another)
  Interface    ${around.url}  (documentation: ${around.url}/docs)
  Operators    ${around.adminUrl}/readyz  ${around.adminUrl}/metrics${workers.join('')}
  Kafka        ${stackEnv.KAFKA_BROKERS}
  Redis        ${stackEnv.REDIS_URL.replace(/\/\/[^@/]*@/, '//')}
  ClickHouse   ${stackEnv.CLICKHOUSE_URL}  (analyst: $ANALYST_USER, $ANALYST_PASSWORD)
  Registry     ${stackEnv.SCHEMA_REGISTRY_URL}
  Credential   client ${around.identity.clientId}, provider ${around.identity.provider}

Next, in another terminal: set -a; . ${envPath}; set +a
and a tutorial of ten minutes, in docs/tutorials/:
  provider.md   send locations         analyst.md    ask what happened
  carrier.md    notify shipments       operator.md   see whether all is well
  platform.md   see and command partners

Ctrl-C ends everything.

`;
}
