import { join } from 'node:path';
import { example } from '../../adapters/command-line/command-line.ts';
import { runProgram } from '../../adapters/system/run-program.ts';
import { noun } from '../noun.ts';
import type { Report } from '../ports.ts';

/** The program of the workers that backs up and restores: deployables share no code. */
const PROGRAM = join(import.meta.dirname, '..', '..', 'workers', 'backup-once.ts');

interface BackupPorts {
  readonly asJson: boolean;
}

/** `rastro backup`: runs the workers' own program, which prints what it did. */
export const backupCommand = noun<BackupPorts>((command, does) => {
  example(command
    .description('Backs up the tables, with the offsets of the log from which they go on.')
    .option('--full', 'one that needs no other; by default it is upon the newest one', false)
    .action(does((ports, { full }: { readonly full: boolean }) => (
      run(ports, ['backup', ...(full ? ['--full'] : [])])
    ))),
  'rastro backup', 'Exit codes: 0 the backup is whole, 1 failed, 2 wrong use.');
});

/** `rastro restore`: the tables of a backup and the log after it. */
export const restoreCommand = noun<BackupPorts>((command, does) => {
  example(command
    .description('Brings the tables back: from a backup, then from the log after it.')
    .argument('[backup]', 'its name; by default the newest one')
    .option('--replace', 'removes what the tables hold', false)
    .action(does((ports, name: string | undefined, { replace }: { readonly replace: boolean }) => (
      run(ports, ['restore', ...nameOf(name), ...(replace ? ['--replace'] : [])])
    ))),
  'rastro restore 2026-11-23.1',
  'Exit codes: 0 everything is back, 1 failed or something is neither in the backup nor in the log,'
    + ' 2 wrong use.');
});

/** `rastro verify`: compares what a restore would give with the tables. */
export const verifyCommand = noun<BackupPorts>((command, does) => {
  example(command
    .description('Restores a backup beside the tables, follows the log and compares both.')
    .argument('[backup]', 'its name; by default the newest one')
    .action(does((ports, name: string | undefined) => run(ports, ['verify', ...nameOf(name)]))),
  'rastro verify', 'Exit codes: 0 a restore would give the tables back, 1 it would not, 2 wrong use.');
});

function nameOf(name: string | undefined): readonly string[] {
  return name === undefined ? [] : [name];
}

async function run({ asJson }: BackupPorts, words: readonly string[]): Promise<Report> {
  const exitCode = await runProgram(PROGRAM, [...words, ...(asJson ? ['--json'] : [])]);
  return { value: { exitCode }, lines: [], exitCode };
}
