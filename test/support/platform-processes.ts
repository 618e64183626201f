import { freePorts } from '../../infra/local/ports.ts';
import type { Part } from '../../infra/local/part.ts';
import type { StackEnv } from '../../infra/local/stack-env.ts';
import { startService } from './platform-process.ts';

/** What the processes of a platform are told. */
export interface Surroundings {
  readonly dir: string;
  readonly env: StackEnv;
  readonly database: string;
  readonly secretPepper: string;
  readonly gatewayEnv: Readonly<Record<string, string>>;
  readonly workerEnv: Readonly<Record<string, string>>;
}

/** The running processes, where the gateways answer, and how to end them all. */
export interface PlatformProcesses {
  readonly gateways: readonly [Part, Part];
  readonly keepers: Part;
  readonly writer: Part;
  readonly urls: readonly [string, string];
}

/** Starts two gateways and two workers at once; `onClose` is told how to end those that started. */
export async function startProcesses(
  around: Surroundings, onClose: (end: () => Promise<unknown>) => void,
): Promise<PlatformProcesses> {
  const [http1 = 0, http2 = 0, admin1 = 0, admin2 = 0, admin3 = 0, admin4 = 0] = await freePorts(6);
  const started = await Promise.allSettled([
    startGateway(around, 'gateway-1', http1, admin1),
    startGateway(around, 'gateway-2', http2, admin2),
    startWorker(around, 'keepers', ['access-keeper', 'device-keeper'], admin3),
    startWorker(around, 'table-writer', ['table-writer'], admin4),
  ]);
  const parts = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  onClose(() => Promise.all(parts.map((part) => part.stop())));
  const failed = started.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const [first, second, keepers, writer] = parts as [Part, Part, Part, Part];
  const urls = [`http://127.0.0.1:${http1}`, `http://127.0.0.1:${http2}`] as const;
  return { gateways: [first, second], keepers, writer, urls };
}

function startGateway(
  around: Surroundings, name: string, port: number, adminPort: number,
): Promise<Part> {
  return startService(around.dir, {
    name, adminPort, entry: 'services/gateways/main.ts', args: ['all'],
    env: {
      ...sharedEnv(around),
      RASTRO_HTTP_PORT: String(port),
      RASTRO_GATEWAYS_ADMIN_PORT: String(adminPort),
      RASTRO_SECRET_PEPPER: around.secretPepper,
      // Every token request of a test comes from one address.
      RASTRO_TOKEN_REQUESTS_PER_MINUTE: '100000',
      RASTRO_TOKEN_REQUESTS_BURST: '100000',
      ...around.gatewayEnv,
    },
  }, () => undefined);
}

function startWorker(
  around: Surroundings, name: string, args: readonly string[], adminPort: number,
): Promise<Part> {
  const { env } = around;
  return startService(around.dir, {
    name, args, adminPort, entry: 'services/workers/main.ts',
    env: {
      ...sharedEnv(around),
      CLICKHOUSE_URL: env.CLICKHOUSE_URL,
      CLICKHOUSE_DATABASE: around.database,
      CLICKHOUSE_INGEST_USER: env.CLICKHOUSE_INGEST_USER,
      CLICKHOUSE_INGEST_PASSWORD: env.CLICKHOUSE_INGEST_PASSWORD,
      RASTRO_WORKERS_ADMIN_PORT: String(adminPort),
      RASTRO_INSERT_LINGER_MS: '200',
      ...around.workerEnv,
    },
  }, () => undefined);
}

function sharedEnv({ env }: Surroundings): Record<string, string> {
  return {
    KAFKA_BROKERS: env.KAFKA_BROKERS,
    REDIS_URL: env.REDIS_URL,
    SCHEMA_REGISTRY_URL: env.SCHEMA_REGISTRY_URL,
    RASTRO_DRAIN_MS_MAX: '5000',
    RASTRO_LOG_LEVEL: 'debug',
  };
}
