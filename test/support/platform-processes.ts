import { freePorts } from '../../infra/local/ports.ts';
import type { Part } from '../../infra/local/part.ts';
import { accessOf } from '../../infra/local/service-users.ts';
import type { StackEnv } from '../../infra/local/stack-env.ts';
import { STATE_WORKERS } from '../../services/workers/workers.ts';
import { PERSONAL_KEY } from './fake-personal.ts';
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

/** Says how to end what was started. */
export type OnClose = (end: () => Promise<unknown> | void) => void;

/** Starts two gateways and two workers at once. */
export async function startProcesses(
  around: Surroundings, onClose: OnClose,
): Promise<PlatformProcesses> {
  const [first, second, keepers, writer] = await allOrThrow([
    startGateway(around, onClose, 'gateway-1', ['all']),
    // The second reads every body exactly, so that each story goes both ways.
    startGateway({
      ...around, gatewayEnv: { RASTRO_LOCATION_SCANNER: 'false', ...around.gatewayEnv },
    }, onClose, 'gateway-2', ['all']),
    startWorker(around, onClose, 'keepers', STATE_WORKERS),
    startWorker(around, onClose, 'table-writer', ['table-writer']),
  ]);
  return {
    gateways: [first.part, second.part], keepers, writer, urls: [first.url, second.url],
  };
}

/** Waits for all before it rejects, so that nothing starts after the clean-up. */
async function allOrThrow<Outcomes extends readonly Promise<unknown>[]>(
  starting: readonly [...Outcomes],
): Promise<{ -readonly [at in keyof Outcomes]: Awaited<Outcomes[at]> }> {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}

/** A running gateway and where it answers. */
export interface GatewayProcess {
  readonly part: Part;
  readonly url: string;
}

/** Starts one gateway process of the named rooms. */
export async function startGateway(
  around: Surroundings, onClose: OnClose, name: string, rooms: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const [port = 0, adminPort = 0] = await freePorts(2);
  const part = await startService(around.dir, {
    name, adminPort, entry: 'services/gateways/main.ts', args: rooms,
    env: {
      ...sharedEnv(around, 'gateways'),
      CLICKHOUSE_URL: around.env.CLICKHOUSE_URL,
      CLICKHOUSE_DATABASE: around.database,
      CLICKHOUSE_HISTORY_USER: around.env.CLICKHOUSE_HISTORY_USER,
      CLICKHOUSE_HISTORY_PASSWORD: around.env.CLICKHOUSE_HISTORY_PASSWORD,
      RASTRO_HTTP_PORT: String(port),
      RASTRO_GATEWAYS_ADMIN_PORT: String(adminPort),
      RASTRO_SECRET_PEPPER: around.secretPepper,
      RASTRO_PERSONAL_KEY: PERSONAL_KEY,
      // Every token request of a test comes from one address, and a test waits for nobody.
      RASTRO_TOKEN_REQUESTS_PER_MINUTE: '100000',
      RASTRO_TOKEN_REQUESTS_BURST: '100000',
      // Some tests send what a whole fleet would through one device.
      RASTRO_REQUESTS_PER_SECOND: '100000',
      RASTRO_REQUESTS_BURST: '100000',
      RASTRO_DEVICE_REQUESTS_PER_SECOND: '100000',
      RASTRO_DEVICE_REQUESTS_BURST: '100000',
      ...around.gatewayEnv,
      ...env,
    },
  }, () => undefined);
  onClose(() => part.stop());
  return { part, url: `http://127.0.0.1:${port}` };
}

async function startWorker(
  around: Surroundings, onClose: OnClose, name: string, args: readonly string[],
): Promise<Part> {
  const { env } = around;
  const [adminPort = 0] = await freePorts(1);
  const part = await startService(around.dir, {
    name, args, adminPort, entry: 'services/workers/main.ts',
    env: {
      ...sharedEnv(around, 'workers'),
      CLICKHOUSE_URL: env.CLICKHOUSE_URL,
      CLICKHOUSE_DATABASE: around.database,
      CLICKHOUSE_INGEST_USER: env.CLICKHOUSE_INGEST_USER,
      CLICKHOUSE_INGEST_PASSWORD: env.CLICKHOUSE_INGEST_PASSWORD,
      RASTRO_WORKERS_ADMIN_PORT: String(adminPort),
      RASTRO_INSERT_LINGER_MS: '200',
      ...around.workerEnv,
    },
  }, () => undefined);
  onClose(() => part.stop());
  return part;
}

function sharedEnv(
  { env }: Surroundings, user: 'gateways' | 'workers',
): Record<string, string> {
  return {
    ...accessOf(env, user),
    SCHEMA_REGISTRY_URL: env.SCHEMA_REGISTRY_URL,
    RASTRO_DRAIN_MS_MAX: '5000',
    RASTRO_LOG_LEVEL: 'debug',
  };
}
