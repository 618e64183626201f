import type { StackEnv } from '../../../infra/local/stack-env.ts';
import type { FaultProxy } from './fault-proxy.ts';
import type { HouseLog, LogUser } from './house-log.ts';
import type { HousePorts } from './house-ports.ts';
import {
  PROCESS_NAMES, startHouseProcess, type HouseProcess, type HouseSecrets, type ProcessName,
} from './house-processes.ts';
import { loginEnv } from './log-users.ts';
import { gatewayEnv, workerEnv } from './process-env.ts';

/** What the processes of a house are started in. */
export interface Surroundings {
  readonly dir: string;
  readonly log: HouseLog;
  readonly env: StackEnv;
  readonly proxies: {
    readonly redisProxies: Readonly<Record<LogUser, FaultProxy>>;
    readonly clickhouseProxy: FaultProxy;
  };
  readonly secrets: HouseSecrets;
  readonly ports: HousePorts;
  readonly names: readonly ProcessName[] | undefined;
  readonly hasLogins: boolean;
  /** The code that a process runs at first. */
  readonly productDirOf: (name: ProcessName) => string;
}

/** In the block of a house: two ports for each process, above those of the parts. */
export const FIRST_PROCESS_PORT = 56;

/** All at once; waits for all before it rejects, so that nothing starts after the clean-up. */
export async function startProcesses(
  around: Surroundings, onClose: (end: () => Promise<unknown>) => void,
): Promise<ReadonlyMap<ProcessName, HouseProcess>> {
  const starting = (around.names ?? PROCESS_NAMES).map(async (name, index) => {
    const { dir, ports, secrets } = around;
    const httpPort = ports.at(FIRST_PROCESS_PORT + index * 2);
    const adminPort = ports.at(FIRST_PROCESS_PORT + index * 2 + 1);
    const isGateway = name.startsWith('gateway');
    const ways = around.hasLogins ? loginWays(around, isGateway) : proxyWays(around, name);
    const started = await startHouseProcess({
      name, adminPort, dir, productDir: around.productDirOf(name),
      env: isGateway
        ? gatewayEnv(ways, secrets, { httpPort, adminPort, dir })
        : workerEnv(ways, secrets, adminPort),
    });
    onClose(() => started.part.stop());
    return [name, started] as const;
  });
  await Promise.allSettled(starting);
  return new Map(await Promise.all(starting));
}

/** Addresses of the proxies before a process. */
function proxyWays({ env, log, proxies }: Surroundings, name: ProcessName): StackEnv {
  const user: LogUser = name === 'gateway-1' || name === 'gateway-2' ? name : 'workers';
  return {
    ...env,
    KAFKA_BROKERS: log.addressOf(user),
    REDIS_URL: `redis://127.0.0.1:${proxies.redisProxies[user].port}`,
    CLICKHOUSE_URL: `http://127.0.0.1:${proxies.clickhouseProxy.port}`,
  };
}

/** Addresses of the parts themselves, with a user of one's own. */
function loginWays({ env, log, secrets }: Surroundings, isGateway: boolean): StackEnv {
  const role = isGateway ? 'gateways' : 'workers';
  return {
    ...env,
    ...loginEnv({ name: role, password: secrets.logPasswords[role] }),
    KAFKA_BROKERS: log.logins,
    REDIS_URL: isGateway ? env.REDIS_GATEWAYS_URL : env.REDIS_WORKERS_URL,
  };
}
