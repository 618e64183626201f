import { closeSync, openSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Folders and files that a confined process may use; everything else is closed to it. */
export interface FileAccess {
  /** Folders in which it may do anything but run programs. */
  readonly writes: readonly string[];
  /** Folders and files that it may read; those that are not there are left out. */
  readonly reads: readonly string[];
}

// Numbers of the kernel, x86-64: linux/landlock.h, linux/prctl.h.
const CREATE_RULESET = 444;
const ADD_RULE = 445;
const RESTRICT_SELF = 446;
const ASK_VERSION = 1;
const PATH_BENEATH = 1;
const NO_NEW_PRIVILEGES = 38;
/** The first version with which files can be moved between folders, as merges of tables do. */
const VERSION_LEAST = 2;
const OPEN_PATH = 0o10_000_000;

const WRITE_FILE = 1n << 1n;
const READ_FILE = 1n << 2n;
const READ_FOLDER = 1n << 3n;
/** From running programs to moving files between folders. */
const OF_VERSION_2 = (1n << 14n) - 1n;
const TRUNCATE = 1n << 14n;

/** The version of Landlock of this kernel; 0 where it has none, or does not let us use it. */
export function landlockVersion(): number {
  return Math.max(0, system(CREATE_RULESET, undefined, 0, ASK_VERSION));
}

/** True where a process can be confined. */
export function canConfine(): boolean {
  return landlockVersion() >= VERSION_LEAST;
}

/**
 * Confines this thread, and every thread that it starts from now on, to some files forever, as
 * root too. Throws when the kernel does not do it.
 */
export function confine({ writes, reads }: FileAccess): void {
  // The third version also knows cutting a file, which older ones always allow.
  const handled = OF_VERSION_2 | (landlockVersion() >= 3 ? TRUNCATE : 0n);
  const attributes = Buffer.alloc(8);
  attributes.writeBigUInt64LE(handled);
  const ruleset = insist(system(CREATE_RULESET, attributes, attributes.length, 0), 'make rules');
  for (const path of writes) allow(ruleset, path, handled & ~1n);
  for (const path of reads) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const device = stats.isCharacterDevice() ? WRITE_FILE : 0n;
    allow(ruleset, path, stats.isDirectory() ? READ_FILE | READ_FOLDER : READ_FILE | device);
  }
  insist(call('prctl', [NO_NEW_PRIVILEGES, 1, 0, 0, 0]), 'give up new privileges');
  insist(system(RESTRICT_SELF, ruleset, 0), 'keep the rules');
  closeSync(ruleset);
}

function allow(ruleset: number, path: string, rights: bigint): void {
  const folder = openSync(path, OPEN_PATH);
  const rule = Buffer.alloc(12);
  rule.writeBigUInt64LE(rights);
  rule.writeInt32LE(folder, 8);
  insist(system(ADD_RULE, ruleset, PATH_BENEATH, rule, 0), `allow ${path}`);
  closeSync(folder);
}

function insist(answer: number, what: string): number {
  if (answer < 0) throw new Error(`The kernel does not ${what} for a confined process.`);
  return answer;
}

function system(number: number, ...values: readonly (number | Buffer | undefined)[]): number {
  return call('syscall', [number, ...values]);
}

function call(name: 'syscall' | 'prctl', values: readonly (number | Buffer | undefined)[]): number {
  const ffi = require('ffi-rs') as typeof import('ffi-rs');
  ffi.open({ library: 'libc', path: 'libc.so.6' });
  const answer: unknown = ffi.load({
    library: 'libc', funcName: name, retType: ffi.DataType.I64,
    paramsType: values.map((value) =>
      (value instanceof Buffer ? ffi.DataType.U8Array : ffi.DataType.I64)),
    paramsValue: values.map((value) => value ?? 0),
  });
  return Number(answer);
}
