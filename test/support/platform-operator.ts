import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { accessOf } from '../../infra/local/service-users.ts';
import { openOperator, type OperatorConfig } from '../../services/cli/assemble.ts';
import { shipmentCommand } from '../../services/cli/inspect/shipment-command.ts';
import { personCommand } from '../../services/cli/person/command.ts';
import type { OperatorPorts, Report } from '../../services/cli/ports.ts';
import { webhookCommand } from '../../services/cli/webhook/command.ts';
import type { StateRebuilt } from '../../services/workers/rebuild/rebuild-redis.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { PERSONAL_KEY } from './fake-personal.ts';
import { CHOSEN_CLIENT } from './kafka-logs.ts';
import type { TestEnv } from './platform.ts';

const MAIN = join(resolve(import.meta.dirname, '..', '..'), 'services', 'cli', 'main.ts');

/** Runs `rastro person …` on the log of a platform. */
export async function personAt(
  platform: TestEnv, ...args: readonly string[]
): Promise<Report> {
  const { env } = platform;
  const [{ name: database } = { name: '' }] = await platform.query<{ name: string }>(
    'SELECT currentDatabase() AS name',
  );
  const tables = {
    url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_USER, password: env.CLICKHOUSE_PASSWORD, database,
  };
  // A folder and key of pictures: none are kept in most tests, and to erase none succeeds.
  const images = {
    imageDir: join(tmpdir(), 'rastro-no-pictures'), imageKey: Buffer.alloc(32, 7).toString('base64'),
  };
  return withOperator(platform, (ports) => personCommand(ports, args), { tables, ...images });
}

/** Runs `rastro shipment …` on the log of a platform. */
export function shipmentAt(platform: TestEnv, ...args: readonly string[]): Promise<Report> {
  return withOperator(platform, (ports) => shipmentCommand(ports, args));
}

/** Runs `rastro webhook …` on the log of a platform, and gives what it says. */
export async function webhookAt(
  platform: TestEnv, vaultKey: string, ...args: readonly string[]
): Promise<Report['value']> {
  const { exitCode, value } = await withOperator(
    platform, (ports) => webhookCommand(ports, args), { vaultKey },
  );
  if (exitCode !== 0) throw new Error(JSON.stringify(value));
  return value;
}

async function withOperator(
  { env, secretPepper }: TestEnv, work: (ports: OperatorPorts) => Promise<Report>,
  more: Pick<OperatorConfig, 'tables' | 'imageDir' | 'imageKey' | 'vaultKey'> = {},
): Promise<Report> {
  const { ports, close } = await openOperator({
    brokers: env.KAFKA_BROKERS.split(','), registryUrl: env.SCHEMA_REGISTRY_URL,
    kafkaClient: CHOSEN_CLIENT, secretPepper, personalKey: PERSONAL_KEY, ...more,
  }, silentSignals);
  try {
    return await work(ports);
  } finally {
    await close();
  }
}

/** Runs `rastro rebuild redis` as a process on a platform, with the rights of its workers. */
export async function rebuildRedisAt({ env }: TestEnv): Promise<StateRebuilt> {
  const { stdout } = await promisify(execFile)(
    process.execPath, [MAIN, 'rebuild', 'redis', '--json'], {
      env: {
        PATH: process.env['PATH'], ...accessOf(env, 'workers'),
        RASTRO_KAFKA_CLIENT: CHOSEN_CLIENT,
        SCHEMA_REGISTRY_URL: env.SCHEMA_REGISTRY_URL, CLICKHOUSE_URL: env.CLICKHOUSE_URL,
      },
    },
  );
  return JSON.parse(stdout) as StateRebuilt;
}
