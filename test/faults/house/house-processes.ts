import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { supervise } from '../../../infra/local/supervise.ts';
import type { Part } from '../../../infra/local/part.ts';
import { answersOk } from '../../support/platform-process.ts';

/** Processes of the product in every house. */
export const PROCESS_NAMES = [
  'gateway-1', 'gateway-2', 'workers-1', 'workers-2', 'dispatcher',
] as const;

/** The name of one process; a second dispatcher only where it is wished for. */
export type ProcessName = (typeof PROCESS_NAMES)[number] | 'dispatcher-2';

/** One process of the product that can be hit from outside and from inside. */
export interface HouseProcess {
  readonly name: ProcessName;
  readonly kind: 'gateway' | 'worker';
  readonly part: Part;
  readonly adminUrl: string;
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
}

/** What one process is started with. */
export interface ProcessSpec {
  readonly name: ProcessName;
  /** Directory of the product's code, this one or a changed copy. */
  readonly productDir: string;
  readonly dir: string;
  readonly adminPort: number;
  readonly env: Readonly<Record<string, string>>;
}

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const PRELOAD = join(ROOT_DIR, 'test', 'faults', 'preload', 'preload.ts');
// A loaded machine starts eight groups of consumers one after the other.
const READY_MS_MAX = 120_000;
const STOP_MS_MAX = 15_000;

const KEEPERS = [
  'access-keeper', 'device-keeper', 'command-keeper', 'delivery-keeper', 'authorization-keeper',
  'authorizer', 'shipment-keeper', 'personal-keeper', 'table-writer',
];

/** Random secrets, as an operator would make them. */
export function newSecrets(): HouseSecrets {
  return {
    secretPepper: randomBytes(24).toString('base64url'),
    vaultKey: randomBytes(32).toString('base64'),
    partyToken: `canary-party-${randomBytes(16).toString('hex')}`,
  };
}

/** Starts a process of the product, kept alive after a crash like by any orchestrator. */
export async function startHouseProcess(spec: ProcessSpec): Promise<HouseProcess> {
  const { name, productDir, adminPort } = spec;
  const kind = name.startsWith('gateway') ? 'gateway' : 'worker';
  const dir = join(spec.dir, name);
  const failpoint = join(dir, 'failpoint');
  mkdirSync(dir, { recursive: true });
  let lives = 0;
  let isArmed = false;
  const part = await supervise({
    child: {
      name, dir,
      command: process.execPath,
      args: [
        '--import', PRELOAD,
        join(productDir, 'services', kind === 'gateway' ? 'gateways' : 'workers', 'main.ts'),
        ...argumentsOf(name),
      ],
      env: { ...passedOn('PATH', 'HOME', 'RASTRO_TEST_RUN'), ...spec.env },
      stopBy: 'SIGTERM',
    },
    prepare: () => { lives += 1; },
    probe: () => answersOk(`http://127.0.0.1:${adminPort}/readyz`),
    readyMsMax: READY_MS_MAX,
    stopMsMax: STOP_MS_MAX,
    log: () => undefined,
  });
  return {
    name, kind, part,
    adminUrl: `http://127.0.0.1:${adminPort}`,
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

function argumentsOf(name: ProcessName): readonly string[] {
  if (name.startsWith('gateway')) return ['all'];
  return name.startsWith('dispatcher') ? ['dispatcher'] : KEEPERS;
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
