import { join, resolve } from 'node:path';
import { accessOf } from '../service-users.ts';
import { supervise } from '../supervise.ts';
import { WORKERS } from '../../../services/workers/workers.ts';
import type { Log, Part } from '../part.ts';
import type { StackEnv } from '../stack-env.ts';
import type { StartPorts } from './ports.ts';
import type { LocalSecrets } from './secrets.ts';

/** What every service process needs to be started. */
export interface ServiceSurroundings {
  readonly dir: string;
  readonly ports: StartPorts;
  readonly secrets: LocalSecrets;
  readonly stackEnv: StackEnv;
  readonly log: Log;
  /** Settings of the gateways beyond the usual, by the names of their variables. */
  readonly gatewaySettings: Readonly<Record<string, string>>;
}

interface ServiceSpec {
  readonly name: string;
  readonly entry: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Answers 200 once the process can do its work. */
  readonly readyUrl: string;
}

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const READY_MS_MAX = 60_000;
/** Ctrl-C must end everything within ten seconds; the stack itself may take half of them. */
const STOP_MS_MAX = 3_000;
const DRAIN_MS_MAX = 2_000;
/** For the end of `--for`; after a signal the supervisor does not wait that long. */
const PROVIDER_DRAIN_MS_MAX = 20_000;

/** What codes mean is agreed with each carrier; the demonstration has an example. */
const EXAMPLE_CODES = join(ROOT_DIR, 'schemas', 'data', 'notification-codes.example.json');

/** Every worker but the one that has a process of its own. */
const OTHERS = WORKERS.map(({ id }) => id).filter((id) => id !== 'table-writer');

/** Variables of this machine that a service may see; everything else it is given by name. */
const PASSED_ON = [
  'PATH', 'HOME', 'LANG', 'TZ', 'RASTRO_KAFKA_CLIENT', 'RASTRO_KAFKA_OWN_BATCHES',
  'RASTRO_LOG_LEVEL',
] as const;

/**
 * The gateways, all in one process, supervised. `carrierId` is the client that notifies about the
 * numbers that they give. Resolves when they answer.
 */
export function startGateways(around: ServiceSurroundings, carrierId: string): Promise<Part> {
  const { ports, secrets } = around;
  return startService(around, {
    name: 'gateways',
    entry: 'services/gateways/main.ts',
    args: ['all'],
    env: {
      ...stackFor(around, 'gateways'),
      RASTRO_HTTP_PORT: String(ports.http),
      RASTRO_GATEWAYS_ADMIN_PORT: String(ports.gatewayAdmin),
      RASTRO_SECRET_PEPPER: secrets.secretPepper,
      RASTRO_IMAGE_DIR: join(around.dir, 'images'),
      RASTRO_IMAGE_KEY: secrets.imageKey,
      RASTRO_PERSONAL_KEY: secrets.personalKey,
      RASTRO_CARRIER_CLIENT_ID: carrierId,
      ...around.gatewaySettings,
    },
    readyUrl: `http://127.0.0.1:${ports.gatewayAdmin}/readyz`,
  });
}

/**
 * The table-writer (log into ClickHouse) in a process of its own, and all other workers together:
 * the projector and journeys (log into Redis) and those that call others.
 */
export function startWorkers(around: ServiceSurroundings): Promise<readonly Part[]> {
  const { ports } = around;
  const worker = (name: string, args: readonly string[], adminPort: number) =>
    startService(around, {
      name,
      entry: 'services/workers/main.ts',
      args,
      env: {
        ...stackFor(around, 'workers'),
        RASTRO_WORKERS_ADMIN_PORT: String(adminPort),
        RASTRO_VAULT_KEY: around.secrets.vaultKey,
        RASTRO_PERSONAL_KEY: around.secrets.personalKey,
        RASTRO_NOTIFICATION_CODES_FILE: EXAMPLE_CODES,
      },
      readyUrl: `http://127.0.0.1:${adminPort}/readyz`,
    });
  return Promise.all([
    worker('keepers', OTHERS, ports.keepersAdmin),
    worker('table-writer', ['table-writer'], ports.writerAdmin),
  ]);
}

/** The client that the reference provider acts as. */
export interface ProviderIdentity {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly provider: string;
  readonly country: string;
}

/** The reference provider. `replaySeconds` is the length of the run, 0 for endless laps. */
export function startProviderService(
  around: ServiceSurroundings, identity: ProviderIdentity,
  replay: { speed: number; replaySeconds: number; shipments: number; ledgerFile: string },
): Promise<Part> {
  const { ports, secrets } = around;
  return startService(around, {
    name: 'provider',
    entry: 'services/provider/main.ts',
    args: [],
    env: {
      RASTRO_URL: `http://127.0.0.1:${ports.http}`,
      RASTRO_CLIENT_ID: identity.clientId,
      RASTRO_CLIENT_SECRET: identity.clientSecret,
      RASTRO_PROVIDER: identity.provider,
      RASTRO_COUNTRY: identity.country,
      RASTRO_PROVIDER_PORT: String(ports.provider),
      RASTRO_PROVIDER_COMMAND_TOKEN: secrets.commandToken,
      RASTRO_REPLAY_SPEED: String(replay.speed),
      RASTRO_REPLAY_SECONDS: String(replay.replaySeconds),
      RASTRO_REPLAY_SHIPMENTS: String(replay.shipments),
      RASTRO_LEDGER_FILE: replay.ledgerFile,
      RASTRO_PROVIDER_DRAIN_MS_MAX: String(PROVIDER_DRAIN_MS_MAX),
    },
    readyUrl: `http://127.0.0.1:${ports.provider}/healthz`,
  });
}

/** Addresses and users by least privilege: gateways read history, workers only ingest. */
function stackFor(around: ServiceSurroundings, who: 'gateways' | 'workers'): Record<string, string> {
  const { stackEnv } = around;
  const shared = {
    ...accessOf(stackEnv, who),
    SCHEMA_REGISTRY_URL: stackEnv.SCHEMA_REGISTRY_URL,
    RASTRO_DRAIN_MS_MAX: String(DRAIN_MS_MAX),
  };
  const store = { CLICKHOUSE_URL: stackEnv.CLICKHOUSE_URL };
  if (who === 'gateways') {
    return {
      ...shared,
      ...store,
      CLICKHOUSE_HISTORY_USER: stackEnv.CLICKHOUSE_HISTORY_USER,
      CLICKHOUSE_HISTORY_PASSWORD: stackEnv.CLICKHOUSE_HISTORY_PASSWORD,
    };
  }
  return {
    ...shared,
    ...store,
    CLICKHOUSE_INGEST_USER: stackEnv.CLICKHOUSE_INGEST_USER,
    CLICKHOUSE_INGEST_PASSWORD: stackEnv.CLICKHOUSE_INGEST_PASSWORD,
  };
}

function startService(around: ServiceSurroundings, spec: ServiceSpec): Promise<Part> {
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return supervise({
    child: {
      name: spec.name,
      dir: join(around.dir, 'services', spec.name),
      command: process.execPath,
      args: [join(ROOT_DIR, spec.entry), ...spec.args],
      env: { ...Object.fromEntries(passedOn), ...spec.env },
      stopBy: 'SIGTERM',
    },
    probe: () => answers(spec.readyUrl),
    readyMsMax: READY_MS_MAX,
    stopMsMax: STOP_MS_MAX,
    log: around.log,
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
