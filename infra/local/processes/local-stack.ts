import { join } from 'node:path';
import { securityOf } from '../../../services/adapters/kafka/security.ts';
import type { OperatorConfig } from '../../../services/cli/assemble.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { Log, Part } from '../part.ts';
import { accessOf } from '../service-users.ts';
import type { StackEnv } from '../stack-env.ts';
import type { Stack } from '../stack.ts';
import {
  demoClient, demoPlatform, PROVIDER_GRANTS, type DemoGrants, type PlatformIdentity,
} from './demo-client.ts';
import { portsFrom } from './ports.ts';
import { localSecrets, type LocalSecrets } from './secrets.ts';
import { gatewaysPlan, LOCAL_LIMITS, workerPlans, type LocalSettings } from './local-plans.ts';
import type { ProcessKind } from './process.ts';
import { startPlatform, type ProcessPlan, type RunningPlatform } from './start-platform.ts';

/** Database of the views that analysts ask. */
export const DATABASE = 'tracking';

/** Where one copy of the whole platform lives, and what is other than usual in it. */
export interface LocalStackOptions {
  readonly dir: string;
  readonly port: number;
  readonly gatewaySettings?: Readonly<Record<string, string>>;
  /** Of the demonstration client; those of the reference provider when absent. */
  readonly grants?: DemoGrants;
  /** `maxmemory` of the local Redis, where the usual one is too little. */
  readonly redisMemoryMax?: string;
  /** Niceness of workers and ClickHouse; more than that of the gateways unless given. */
  readonly workNiceness?: number;
  /** Gateways and workers; the usual ones unless given. */
  readonly plans?: (settings: LocalSettings) => readonly ProcessPlan[];
  readonly leaving?: AbortSignal;
  readonly log: Log;
}

/** The running platform with a ready credential; the provider is not started yet. */
export interface LocalStack
  extends LocalSettings, Pick<RunningPlatform, 'processes' | 'start' | 'onClose' | 'close'> {
  readonly stack: Stack;
  readonly operator: OperatorConfig;
  readonly platform: PlatformIdentity;
  /** The first of them, where there are several. */
  readonly gateways: Part;
  readonly workers: readonly Part[];
  readonly url: string;
  readonly adminUrl: string;
  readonly providerUrl: string;
}

/**
 * Starts infrastructure, topics, tables, demonstration client, workers and gateways. Parts that the
 * environment names are used as they are. Rejects when `leaving` is aborted meanwhile.
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { dir, leaving, log, gatewaySettings = {} } = options;
  const ports = portsFrom(options.port);
  const secrets = await localSecrets(dir);
  const providerUrl = `http://127.0.0.1:${ports.provider}`;
  let prepared: Pick<LocalStack, 'operator' | 'identity' | 'platform'> | undefined;
  const started = await startPlatform({
    dir, log, database: DATABASE, limits: LOCAL_LIMITS,
    ...(options.workNiceness === undefined ? {} : { workNiceness: options.workNiceness }),
    ...(leaving === undefined ? {} : { leaving }),
    parts: {
      ports: ports.stack, dir: join(dir, 'data'), redisMemoryMax: options.redisMemoryMax,
      env: process.env,
    },
    async processes(env) {
      const operator = operatorOf(env, secrets);
      const identity = await demoClient(
        dir, operator, silentSignals, options.grants ?? PROVIDER_GRANTS,
      );
      const platform = await demoPlatform(dir, operator, silentSignals, {
        providerUrl, providerClientId: identity.clientId,
      });
      prepared = { operator, identity, platform };
      const settings = { dir, ports, secrets, gatewaySettings, identity };
      return options.plans?.(settings)
        ?? [gatewaysPlan(settings), ...workerPlans(ports, secrets)];
    },
  });
  if (prepared === undefined) throw new Error('The processes were not planned.');
  const { stack, processes, start, onClose, close } = started;
  const partsOf = (wanted: ProcessKind): readonly Part[] =>
    [...processes.values()].filter(({ kind }) => kind === wanted).map(({ part }) => part);
  const [gateways] = partsOf('gateways');
  if (gateways === undefined) throw new Error('No gateway was planned.');
  return {
    ...prepared, dir, ports, secrets, stack, start, onClose, close, gatewaySettings, providerUrl,
    processes, gateways,
    workers: partsOf('workers'),
    url: `http://127.0.0.1:${ports.http}`,
    adminUrl: `http://127.0.0.1:${ports.gatewayAdmin}`,
  };
}

function operatorOf(env: StackEnv, secrets: LocalSecrets): OperatorConfig {
  const access = accessOf(env, 'operator');
  return {
    brokers: (access['KAFKA_BROKERS'] ?? '').split(','),
    security: securityOf(access),
    registryUrl: env.SCHEMA_REGISTRY_URL,
    kafkaClient: 'platformatic',
    secretPepper: secrets.secretPepper,
    vaultKey: secrets.vaultKey,
    partySecret: secrets.commandToken,
  };
}
