import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ROOT_DIR, type ProcessLimits, type ProductProcess,
} from '../../../infra/local/processes/process.ts';
import type { ProcessPlan } from '../../../infra/local/processes/start-platform.ts';
import { STATE_WORKERS, type WorkerId } from '../../../services/workers/workers.ts';
import type { LogRole } from './log-users.ts';

/** Processes of the product in every cluster. */
export const PROCESS_NAMES = [
  'gateway-1', 'gateway-2', 'workers-1', 'workers-2', 'parties',
] as const;

/**
 * Processes of a cluster in which the tables are written apart, so that their number can change.
 */
export const WRITER_NAMES = [
  'table-writer-1', 'table-writer-2', 'table-writer-3', 'table-writer-4',
] as const;

/** The name of one process; those beyond the usual ones only where they are wished for. */
export type ProcessName =
  (typeof PROCESS_NAMES)[number] | (typeof WRITER_NAMES)[number] | 'parties-2' | 'projectors'
  | 'gateway-live' | 'gateway-live-2' | 'webhooks' | 'webhooks-2';

/** One process of the product that can be hit from outside and from inside. */
export interface ClusterProcess extends ProductProcess {
  readonly name: ProcessName;
  /** Arms a failpoint: `STEP/OF NTH ACT [MS]` (preload.ts). */
  arm(failpoint: string): void;
  disarm(): void;
  /** Lets the process see a time that is off by so many milliseconds. */
  shiftClock(offsetMs: number): void;
  /** From now on the process says now and then what it holds when rubbish is collected. */
  measureHeld(): void;
  /** True when the armed failpoint has struck. */
  hasStruck(): boolean;
}

/** Secrets that the processes of a cluster share. */
export interface ClusterSecrets {
  readonly secretPepper: string;
  readonly vaultKey: string;
  readonly partyToken: string;
  /** Of the users of the log, in a cluster where they log in. */
  readonly logPasswords: Readonly<Record<LogRole, string>>;
}

const PRELOAD = join(ROOT_DIR, 'test', 'faults', 'preload', 'preload.ts');

/** A loaded machine starts eight groups of consumers one after the other. */
export const CLUSTER_LIMITS: ProcessLimits = { readyMsMax: 120_000, stopMsMax: 15_000 };

/** They take what is due, and read topics without a group or none. */
const AUTHORIZER: WorkerId = 'parties.authorizations';
const WEBHOOK_SENDER: WorkerId = 'parties.webhooks';
const EXAMINER: WorkerId = 'parties.examinations';
const COMMAND_SENDER: WorkerId = 'parties.commands';
const TABLE_WRITER: WorkerId = 'table-writer';
const WITHOUT_GROUP: readonly string[] = [AUTHORIZER, WEBHOOK_SENDER, EXAMINER];
const PROJECTORS: readonly WorkerId[] = [...STATE_WORKERS, AUTHORIZER];

/** Random secrets, as an operator would make them. */
export function newSecrets(): ClusterSecrets {
  return {
    secretPepper: randomBytes(24).toString('base64url'),
    vaultKey: randomBytes(32).toString('base64'),
    partyToken: `canary-party-${randomBytes(16).toString('hex')}`,
    logPasswords: {
      gateways: randomBytes(24).toString('base64url'),
      workers: randomBytes(24).toString('base64url'),
    },
  };
}

/** A process that reads its failpoint and its clock from files before the product starts. */
export function processPlan(
  name: ProcessName, own: Pick<ProcessPlan, 'env' | 'httpPort' | 'adminPort' | 'productDir'>,
): ProcessPlan {
  const kind = name.startsWith('gateway') ? 'gateways' : 'workers';
  return { ...own, name, kind, runs: argumentsOf(name), preload: PRELOAD };
}

/** Adds what can be done to a process from inside. */
export function withFailpoints(name: ProcessName, process: ProductProcess): ClusterProcess {
  const failpoint = join(process.dir, 'failpoint');
  let isArmed = false;
  return {
    ...process, name,
    arm(text) {
      isArmed = true;
      writeFileSync(failpoint, text);
    },
    disarm: () => rmSync(failpoint, { force: true }),
    shiftClock: (offsetMs) => writeFileSync(join(process.dir, 'clock'), String(offsetMs)),
    measureHeld: () => writeFileSync(join(process.dir, 'collects'), 'yes'),
    hasStruck: () => isArmed && !isThere(failpoint),
  };
}

/** The workers of a process that read topics in a group, by their names. */
export function readersIn(name: ProcessName): readonly string[] {
  return name.startsWith('gateway') ? []
    : argumentsOf(name).filter((worker) => !WITHOUT_GROUP.includes(worker));
}

function argumentsOf(name: ProcessName): readonly string[] {
  if (name.startsWith('gateway')) return [name.startsWith('gateway-live') ? 'live' : 'all'];
  if (name.startsWith('parties')) return [COMMAND_SENDER];
  if (name.startsWith('webhooks')) return [WEBHOOK_SENDER, EXAMINER];
  if (name.startsWith(TABLE_WRITER)) return [TABLE_WRITER];
  return name === 'projectors' ? PROJECTORS : [...PROJECTORS, TABLE_WRITER];
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
