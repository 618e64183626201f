import { join } from 'node:path';
import { example } from '../../adapters/command-line/command-line.ts';
import { runProgram } from '../../adapters/system/run-program.ts';
import { noun } from '../noun.ts';
import { reapply } from '../person/command.ts';
import type { ProgramPorts } from '../assemble-open.ts';
import type { OperatorPorts, Report } from '../ports.ts';

/** The program of the workers that backs up and restores: deployables share no code. */
const PROGRAM = join(import.meta.dirname, '..', '..', 'workers', 'backup-once.ts');

/** `rastro backup`: runs the workers' own program, which prints what it did. */
export const backupCommand = noun<ProgramPorts>((command, does) => {
  example(command
    .description('Backs up the tables, with the offsets of the log from which they go on.')
    .option('--full', 'one that needs no other; by default it is upon the newest one', false)
    .option('--keep <chains>', 'then deletes what is older than so many chains of backups')
    .action(does((ports, { full, keep }: { readonly full: boolean; readonly keep?: string }) => (
      run(ports, [
        'backup', ...(full ? ['--full'] : []), ...(keep === undefined ? [] : ['--keep', keep]),
      ])
    ))),
  'rastro backup --keep 2', 'Exit codes: 0 the backup is whole, 1 failed, 2 wrong use.');
});

/** `rastro restore`: the tables of a backup and the log after it, without what was erased since. */
export const restoreCommand = noun<ProgramPorts & OperatorPorts>((command, does) => {
  example(command
    .description('Brings the tables back: from a backup, then from the log after it.')
    .argument('[backup]', 'its name; by default the newest one')
    .option('--replace', 'removes what the tables hold; needs --reason', false)
    .action(does((ports, name: string | undefined, { replace }: { readonly replace: boolean }) => (
      restore(ports, [...nameOf(name), ...(replace ? ['--replace'] : [])])
    ))),
  'rastro restore 2026-11-23.1',
  'Exit codes: 0 everything is back, 1 failed or something is neither in the backup nor in the log,'
    + ' 2 wrong use, 3 not found.');
});

/** `rastro verify`: compares what a restore would give with the tables. */
export const verifyCommand = noun<ProgramPorts>((command, does) => {
  example(command
    .description('Restores a backup beside the tables, follows the log and compares both.')
    .argument('[backup]', 'its name; by default the newest one')
    .option('--replicas', 'compares the replicas of the tables instead', false)
    .action(does((
      ports, name: string | undefined, { replicas }: { readonly replicas: boolean },
    ) => run(ports, replicas ? ['replicas'] : ['verify', ...nameOf(name)]))),
  'rastro verify', 'Exit codes: 0 a restore would give the tables back, or the replicas hold the same,'
    + ' 1 not so, 2 wrong use, 3 not found.');
});

function nameOf(name: string | undefined): readonly string[] {
  return name === undefined ? [] : [name];
}

async function restore(
  ports: ProgramPorts & OperatorPorts, words: readonly string[],
): Promise<Report> {
  const restored = await run(ports, ['restore', ...words]);
  if (restored.exitCode === 2 || restored.exitCode === 3) return restored;
  // Also when something is gone: what is back holds what was erased since.
  const { value, lines, exitCode } = await reapply(ports);
  // The program has printed its one value already.
  return {
    value, lines: ports.asJson ? [] : lines, exitCode: Math.max(exitCode, restored.exitCode),
  };
}

async function run({ asJson, reach }: ProgramPorts, words: readonly string[]): Promise<Report> {
  // Replicas are compared with each other, and not with the log.
  await reach(...words[0] === 'replicas' ? [] : ['log'] as const, 'tables');
  const exitCode = await runProgram(PROGRAM, [...words, ...(asJson ? ['--json'] : [])]);
  return { value: { exitCode }, lines: [], exitCode };
}
