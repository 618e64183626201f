import { join, resolve } from 'node:path';
import { accessOf } from '../service-users.ts';
import { startStack, type Stack } from '../stack.ts';
import type { Log, Part } from '../part.ts';
import { securityOf } from '../../../services/adapters/kafka/security.ts';
import type { OperatorConfig } from '../../../services/cli/assemble.ts';
import { migrateDatabase } from '../../clickhouse/migrate-database.ts';
import { makeTopics } from '../../kafka/make-topics.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import {
  demoClient, demoPlatform, PROVIDER_GRANTS, type DemoGrants, type PlatformIdentity,
} from './demo-client.ts';
import { portsFrom } from './ports.ts';
import { localSecrets } from './secrets.ts';
import { startGateways, startWorkers, type ProviderIdentity, type ServiceSurroundings }
  from './services.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const REGISTRY_MS_MAX = 60_000;

/** Database of the views that analysts ask. */
export const DATABASE = 'tracking';

/** Where one copy of the whole system lives, and what is other than usual in it. */
export interface SystemOptions {
  readonly dir: string;
  readonly port: number;
  readonly gatewaySettings?: Readonly<Record<string, string>>;
  /** Of the demonstration client; those of the reference provider when absent. */
  readonly grants?: DemoGrants;
  /** `maxmemory` of the local Redis, where the usual one is too little. */
  readonly redisMemoryMax?: string;
}

/** What the caller sees to: ending what was begun, being told to end, and telling. */
export interface SystemPorts {
  /** Called for each thing as soon as it runs; to be called in reverse. */
  readonly ending: (stop: () => Promise<unknown>) => void;
  readonly isTold: () => boolean;
  readonly log: Log;
}

/** A running system with a ready credential; the provider is not started yet. */
export interface System {
  readonly stack: Stack;
  readonly around: ServiceSurroundings;
  readonly operator: OperatorConfig;
  readonly identity: ProviderIdentity;
  readonly platform: PlatformIdentity;
  readonly gateways: Part;
  readonly workers: readonly Part[];
  readonly url: string;
  readonly adminUrl: string;
  readonly providerUrl: string;
}

/**
 * Brings up infrastructure, topics, tables, demonstration client, workers and gateways. Gives
 * undefined when it was told to end on the way.
 */
export async function startSystem(
  options: SystemOptions, { ending, isTold, log }: SystemPorts,
): Promise<System | undefined> {
  const ports = portsFrom(options.port);
  const stack = await startStack({
    dataDir: join(options.dir, 'data'),
    cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
    ports: ports.stack,
    redisMemoryMax: options.redisMemoryMax,
    log,
  });
  ending(() => stack.stop());
  if (isTold()) return undefined;
  await prepare(stack);
  const secrets = await localSecrets(options.dir);
  const around: ServiceSurroundings = {
    dir: options.dir, ports, secrets, stackEnv: stack.env, log,
    gatewaySettings: options.gatewaySettings ?? {},
  };
  const access = accessOf(stack.env, 'operator');
  const operator: OperatorConfig = {
    brokers: (access['KAFKA_BROKERS'] ?? '').split(','),
    security: securityOf(access),
    registryUrl: stack.env.SCHEMA_REGISTRY_URL,
    kafkaClient: 'platformatic',
    secretPepper: secrets.secretPepper,
    vaultKey: secrets.vaultKey,
    partySecret: secrets.commandToken,
  };
  const identity = await demoClient(
    options.dir, operator, silentSignals, options.grants ?? PROVIDER_GRANTS,
  );
  const providerUrl = `http://127.0.0.1:${ports.provider}`;
  const platform = await demoPlatform(options.dir, operator, silentSignals, providerUrl);
  const workers = await startWorkers(around);
  for (const worker of workers) ending(() => worker.stop());
  const gateways = await startGateways(around, identity.clientId);
  ending(() => gateways.stop());
  return {
    stack, around, operator, identity, platform, gateways, workers, providerUrl,
    url: `http://127.0.0.1:${ports.http}`,
    adminUrl: `http://127.0.0.1:${ports.gatewayAdmin}`,
  };
}

/** Topics, schemas and tables: all safe to repeat. */
async function prepare({ env }: Stack): Promise<void> {
  await Promise.all([
    makeTopics({
      brokers: env.KAFKA_BROKERS.split(','),
      registryUrl: env.SCHEMA_REGISTRY_URL,
      replicas: 1,
      deadlineMs: Date.now() + REGISTRY_MS_MAX,
    }, silentSignals),
    migrateDatabase({
      url: env.CLICKHOUSE_URL,
      user: env.CLICKHOUSE_USER,
      password: env.CLICKHOUSE_PASSWORD,
      database: DATABASE,
    }),
  ]);
}
