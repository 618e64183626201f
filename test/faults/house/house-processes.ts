import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { supervise } from '../../../infra/local/supervise.ts';
import type { Part } from '../../../infra/local/part.ts';
import { STATE_WORKERS, type WorkerId } from '../../../services/workers/workers.ts';
import { answersOk } from '../../support/platform-process.ts';
import type { LogRole } from './log-users.ts';

/** Processes of the product in every house. */
export const PROCESS_NAMES = [
  'gateway-1', 'gateway-2', 'workers-1', 'workers-2', 'parties',
] as const;

/** Processes of a house in which the tables are written apart, so that their number can change. */
export const WRITER_NAMES = [
  'table-writer-1', 'table-writer-2', 'table-writer-3', 'table-writer-4',
] as const;

/** The name of one process; those beyond the usual ones only where they are wished for. */
export type ProcessName =
  (typeof PROCESS_NAMES)[number] | (typeof WRITER_NAMES)[number] | 'parties-2' | 'keepers';

/** What a process runs as. */
export interface Release {
  /** Directory of the product's code: this one, a changed copy or another commit. */
  readonly productDir: string;
  readonly env: Readonly<Record<string, string>>;
}

/** One process of the product that can be hit from outside and from inside. */
export interface HouseProcess {
  readonly name: ProcessName;
  readonly kind: 'gateway' | 'worker';
  readonly part: Part;
  readonly adminUrl: string;
  /** Code and further settings from its next start on; what is not said stays. */
  change(next: Partial<Release>): void;
  /** What it runs as, from its next start on where that was changed. */
  release(): Release;
  /**
   * Ends it and wants it away, as when there shall be fewer of its kind. `end` is asked to end the
   * process of this id where not the supervisor shall do it.
   */
  leave(end?: (pid: number) => Promise<unknown>): Promise<void>;
  /** Starts it again after it left. */
  comeBack(): Promise<void>;
  isAway(): boolean;
  /** Starts so far; the first counts. */
  lives(): number;
  /** Arms a failpoint: `STEP/OF NTH ACT [MS]` (preload.ts). */
  arm(failpoint: string): void;
  disarm(): void;
  /** Lets the process see a time that is off by so many milliseconds. */
  shiftClock(offsetMs: number): void;
  /** True when the armed failpoint has struck. */
  hasStruck(): boolean;
}

/** Secrets that the processes of a house share. */
export interface HouseSecrets {
  readonly secretPepper: string;
  readonly vaultKey: string;
  readonly partyToken: string;
  /** Of the users of the log, in a house where they log in. */
  readonly logPasswords: Readonly<Record<LogRole, string>>;
}

/** What one process is started with. */
export interface ProcessSpec extends Release {
  readonly name: ProcessName;
  readonly dir: string;
  readonly adminPort: number;
}

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const PRELOAD = join(ROOT_DIR, 'test', 'faults', 'preload', 'preload.ts');
/** Handed on to every process: the way to write the log too, so that each is judged (ADR 0023). */
const PASSED_ON = [
  'PATH', 'HOME', 'RASTRO_TEST_RUN', 'RASTRO_KAFKA_CLIENT', 'RASTRO_KAFKA_OWN_BATCHES',
];

// A loaded machine starts eight groups of consumers one after the other.
const READY_MS_MAX = 120_000;
const STOP_MS_MAX = 15_000;

/** It takes calls that are due and reads no topic. */
const AUTHORIZER: WorkerId = 'parties.authorizations';
const COMMAND_SENDER: WorkerId = 'parties.commands';
const TABLE_WRITER: WorkerId = 'table-writer';
const KEEPERS: readonly WorkerId[] = [...STATE_WORKERS, AUTHORIZER];

/** Random secrets, as an operator would make them. */
export function newSecrets(): HouseSecrets {
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

/** Starts a process of the product, kept alive after a crash like by any orchestrator. */
export async function startHouseProcess(spec: ProcessSpec): Promise<HouseProcess> {
  const { name, adminPort } = spec;
  const kind = name.startsWith('gateway') ? 'gateway' : 'worker';
  const dir = join(spec.dir, name);
  const failpoint = join(dir, 'failpoint');
  mkdirSync(dir, { recursive: true });
  let release: Release = spec;
  let lives = 0;
  let isArmed = false;
  let isAway = false;
  const part = await supervise({
    child: {
      name, dir,
      command: process.execPath,
      // Read at each start, so that a change holds from the next one on.
      get args() {
        const main = join('services', kind === 'gateway' ? 'gateways' : 'workers', 'main.ts');
        return ['--import', PRELOAD, join(release.productDir, main), ...argumentsOf(name)];
      },
      get env() {
        return { ...passedOn(...PASSED_ON), ...release.env };
      },
      stopBy: 'SIGTERM',
    },
    prepare: () => {
      // Who ended it is not the supervisor, which would start it again.
      if (isAway) throw new Error(`${name} is wanted away.`);
      lives += 1;
    },
    probe: () => answersOk(`http://127.0.0.1:${adminPort}/readyz`),
    readyMsMax: READY_MS_MAX,
    stopMsMax: STOP_MS_MAX,
    log: () => undefined,
  });
  return {
    name, kind, part,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    change(next) {
      release = { ...release, ...next, env: { ...release.env, ...next.env } };
    },
    release: () => release,
    async leave(end) {
      const pid = part.pid();
      isAway = true;
      if (pid !== undefined) await end?.(pid);
      await part.stop();
    },
    async comeBack() {
      isAway = false;
      await part.start();
    },
    isAway: () => isAway,
    lives: () => lives,
    arm(text) {
      isArmed = true;
      writeFileSync(failpoint, text);
    },
    disarm: () => rmSync(failpoint, { force: true }),
    shiftClock: (offsetMs) => writeFileSync(join(dir, 'clock'), String(offsetMs)),
    hasStruck: () => isArmed && !isThere(failpoint),
  };
}

/** The workers of a process that read topics, by their names. */
export function readersIn(name: ProcessName): readonly string[] {
  return name.startsWith('gateway') ? []
    : argumentsOf(name).filter((worker) => worker !== AUTHORIZER);
}

function argumentsOf(name: ProcessName): readonly string[] {
  if (name.startsWith('gateway')) return ['all'];
  if (name.startsWith('parties')) return [COMMAND_SENDER];
  if (name.startsWith(TABLE_WRITER)) return [TABLE_WRITER];
  return name === 'keepers' ? KEEPERS : [...KEEPERS, TABLE_WRITER];
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function passedOn(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }));
}
