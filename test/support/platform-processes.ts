import type { Part } from '../../infra/local/part.ts';
import type { ProductProcess, Release } from '../../infra/local/processes/process.ts';
import type { ProcessPlan, RunningPlatform } from '../../infra/local/processes/start-platform.ts';
import { STATE_WORKERS, WORKERS } from '../../services/workers/workers.ts';
import { PERSONAL_KEY } from './fake-personal.ts';

/** What a platform has other than usual. */
export interface TestEnvWishes {
  readonly gatewayEnv?: Readonly<Record<string, string>>;
  readonly workerEnv?: Readonly<Record<string, string>>;
  /** Further settings of the workers that call parties; they run only where this is given. */
  readonly partiesEnv?: Readonly<Record<string, string>>;
}

/** The running processes, and where the gateways answer. */
export interface TestProcesses {
  readonly gateways: readonly [Part, Part];
  readonly projectors: Part;
  readonly writer: Part;
  /** The workers that call parties, where they were wished for. */
  readonly parties: Part | undefined;
  readonly urls: readonly [string, string];
}

const SHARED = { RASTRO_DRAIN_MS_MAX: '5000', RASTRO_LOG_LEVEL: 'debug' };
const PLENTY = '1000000000';
const PARTY_WORKERS = WORKERS.filter(({ program }) => program === 'parties').map(({ id }) => id);

/** Two gateways and two processes of workers. */
export function plansOf(
  { gatewayEnv = {}, workerEnv = {}, partiesEnv }: TestEnvWishes, secretPepper: string,
): readonly ProcessPlan[] {
  return [
    gatewayPlan('gateway-1', ['all', 'live'], secretPepper, gatewayEnv),
    // The second reads every body exactly, so that each story goes both ways.
    gatewayPlan('gateway-2', ['all', 'live'], secretPepper, {
      RASTRO_LOCATION_SCANNER: 'false', ...gatewayEnv,
    }),
    workerPlan('projectors', STATE_WORKERS, workerEnv),
    workerPlan('table-writer', ['table-writer'], workerEnv),
    ...(partiesEnv === undefined ? [] : [
      workerPlan('parties', PARTY_WORKERS, {
        RASTRO_PERSONAL_KEY: PERSONAL_KEY, RASTRO_PARTY_LOOPBACK: 'true',
        RASTRO_PARTY_INSECURE: 'true', ...workerEnv, ...partiesEnv,
      }),
    ]),
  ];
}

/** One gateway process of the named rooms. */
export function gatewayPlan(
  name: string, runs: readonly string[], secretPepper: string,
  env: Readonly<Record<string, string>>,
): ProcessPlan {
  return {
    name, kind: 'gateways', runs,
    env: {
      ...SHARED,
      RASTRO_SECRET_PEPPER: secretPepper,
      RASTRO_PERSONAL_KEY: PERSONAL_KEY,
      // Every token request of a test comes from one address, and no test waits for another.
      RASTRO_TOKEN_REQUESTS_PER_MINUTE: PLENTY,
      RASTRO_TOKEN_REQUESTS_BURST: PLENTY,
      RASTRO_BAD_TOKENS_PER_MINUTE: PLENTY,
      RASTRO_BAD_TOKENS_BURST: PLENTY,
      // Some tests send what a whole fleet would through one device.
      RASTRO_REQUESTS_PER_SECOND: PLENTY,
      RASTRO_REQUESTS_BURST: PLENTY,
      RASTRO_NOTIFICATIONS_PER_SECOND: PLENTY,
      RASTRO_NOTIFICATIONS_BURST: PLENTY,
      RASTRO_BYTES_PER_SECOND: PLENTY,
      RASTRO_BYTES_BURST: PLENTY,
      RASTRO_DEVICE_REQUESTS_PER_SECOND: PLENTY,
      RASTRO_DEVICE_REQUESTS_BURST: PLENTY,
      ...env,
    },
  };
}

/** One process of workers that writes its rows soon. */
export function workerPlan(
  name: string, runs: readonly string[], env: Readonly<Record<string, string>>,
): ProcessPlan {
  return {
    name, kind: 'workers', runs, env: { ...SHARED, RASTRO_INSERT_LINGER_MS: '200', ...env },
  };
}

/** Names the processes that tests stop and call. */
export function processesOf(running: RunningPlatform): TestProcesses {
  const process = (name: string): ProductProcess => running.process(name);
  const [first, second] = [process('gateway-1'), process('gateway-2')];
  return {
    gateways: [first.part, second.part],
    projectors: process('projectors').part,
    writer: process('table-writer').part,
    parties: running.processes.get('parties')?.part,
    urls: [urlOf(first.release()), urlOf(second.release())],
  };
}

/** Where a gateway serves. */
export function urlOf({ env }: Release): string {
  return `http://127.0.0.1:${env['RASTRO_HTTP_PORT'] ?? ''}`;
}
