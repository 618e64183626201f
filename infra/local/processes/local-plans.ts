import { join } from 'node:path';
import { WORKERS } from '../../../services/workers/workers.ts';
import type { ProviderIdentity } from './demo-client.ts';
import type { StartPorts } from './ports.ts';
import type { ProcessLimits } from './process.ts';
import type { LocalSecrets } from './secrets.ts';
import type { ProcessPlan } from './start-platform.ts';

/** Ctrl-C must end everything within ten seconds; the parts themselves may take half of them. */
export const LOCAL_LIMITS: ProcessLimits = { readyMsMax: 240_000, stopMsMax: 3_000 };
const DRAIN = { RASTRO_DRAIN_MS_MAX: '2000' };
/** For the end of `--for`; after a signal the supervisor does not wait that long. */
const PROVIDER_DRAIN_MS_MAX = 20_000;

/** Every worker but the one that has a process of its own. */
const OTHERS = WORKERS.map(({ id }) => id).filter((id) => id !== 'table-writer');

/** What the processes of one copy of the platform share. */
export interface LocalSettings {
  readonly dir: string;
  readonly ports: StartPorts;
  readonly secrets: LocalSecrets;
  readonly identity: ProviderIdentity;
  /** Settings of the gateways beyond the usual, by the names of their variables. */
  readonly gatewaySettings: Readonly<Record<string, string>>;
}

/** Where a local platform keeps proofs of delivery; the command line erases them there. */
export function imageDirOf(dir: string): string {
  return join(dir, 'images');
}

/**
 * All gateways in one process. The demonstration client is the carrier that notifies about the
 * numbers that they give.
 */
export function gatewaysPlan(
  { dir, ports, secrets, gatewaySettings, identity }: LocalSettings,
): ProcessPlan {
  return {
    name: 'gateways', kind: 'gateways', runs: ['all', 'live'], folder: join('services', 'gateways'),
    httpPort: ports.http, adminPort: ports.gatewayAdmin,
    env: {
      ...DRAIN,
      RASTRO_SECRET_PEPPER: secrets.secretPepper,
      RASTRO_IMAGE_DIR: imageDirOf(dir),
      RASTRO_IMAGE_KEY: secrets.imageKey,
      RASTRO_PERSONAL_KEY: secrets.personalKey,
      RASTRO_CARRIER_CLIENT_ID: identity.clientId,
      ...gatewaySettings,
    },
  };
}

/** The table-writer in a process of its own, and all other workers together. */
export function workerPlans(ports: StartPorts, secrets: LocalSecrets): readonly ProcessPlan[] {
  const plan = (name: string, runs: readonly string[], adminPort: number): ProcessPlan => ({
    name, kind: 'workers', runs, adminPort, folder: join('services', name),
    env: {
      ...DRAIN,
      RASTRO_VAULT_KEY: secrets.vaultKey,
      RASTRO_PERSONAL_KEY: secrets.personalKey,
    },
  });
  return [
    plan('projectors', OTHERS, ports.projectorsAdmin),
    plan('table-writer', ['table-writer'], ports.writerAdmin),
  ];
}

/** How the reference provider replays; `replaySeconds` is 0 for endless laps. */
export interface Replaying {
  readonly speed: number;
  readonly replaySeconds: number;
  readonly shipments: number;
  readonly ledgerFile: string;
}

/** The reference provider against the gateways. */
export function providerPlan(
  { ports, secrets, identity }: Omit<LocalSettings, 'gatewaySettings'>, replay: Replaying,
): ProcessPlan {
  return {
    name: 'provider', kind: 'provider', runs: [], folder: join('services', 'provider'),
    httpPort: ports.provider, adminPort: ports.provider, readyPath: '/healthz',
    env: {
      RASTRO_URL: `http://127.0.0.1:${ports.http}`,
      RASTRO_CLIENT_ID: identity.clientId,
      RASTRO_CLIENT_SECRET: identity.clientSecret,
      RASTRO_PROVIDER: identity.provider,
      RASTRO_COUNTRY: identity.country,
      RASTRO_PROVIDER_COMMAND_TOKEN: secrets.commandToken,
      RASTRO_REPLAY_SPEED: String(replay.speed),
      RASTRO_REPLAY_SECONDS: String(replay.replaySeconds),
      RASTRO_REPLAY_SHIPMENTS: String(replay.shipments),
      RASTRO_LEDGER_FILE: replay.ledgerFile,
      RASTRO_PROVIDER_DRAIN_MS_MAX: String(PROVIDER_DRAIN_MS_MAX),
    },
  };
}
