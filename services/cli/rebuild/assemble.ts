import { join } from 'node:path';
import { example } from '../../adapters/command-line/command-line.ts';
import { runProgram } from '../../adapters/system/run-program.ts';
import { noun } from '../noun.ts';
import type { ProgramPorts } from '../assemble-open.ts';
import type { Report } from '../ports.ts';

/** The program of the workers that rebuilds: deployables share no code. */
const PROGRAM = join(import.meta.dirname, '..', '..', 'workers', 'rebuild-once.ts');
const CODES = 'Exit codes: 0 done or equal, 1 failed or different, 2 wrong use.';

interface RebuildOptions {
  readonly dryRun: boolean;
  readonly lastFixes?: boolean;
}

/**
 * `rastro rebuild redis | clickhouse`: runs the workers' own program, which prints what it finds;
 * the report says the exit code alone. Wrong use is found before it starts.
 */
export const rebuildCommand = noun<ProgramPorts>((command, does) => {
  command.description('Rebuilds a store from the log, or says how it differs.');
  example(command.command('redis')
    .description('The state store from the log.')
    .option('--dry-run', 'only says how it differs', false)
    .option('--last-fixes', 'also the last fixes, which fill automatically', false)
    .action(does((ports, options: RebuildOptions) => rebuild('redis', ports, options))),
  'rastro rebuild redis --dry-run', CODES);
  example(command.command('clickhouse')
    .description('The tables from the log.')
    .option('--dry-run', 'only says what they lack', false)
    .action(does((ports, options: RebuildOptions) => rebuild('clickhouse', ports, options))),
  'rastro rebuild clickhouse --dry-run', CODES);
});

async function rebuild(
  store: string, { asJson, reach }: ProgramPorts, { dryRun, lastFixes }: RebuildOptions,
): Promise<Report> {
  await reach('log', ...store === 'clickhouse' ? ['tables'] as const : []);
  const exitCode = await runProgram(PROGRAM, [
    store,
    ...(dryRun ? ['--dry-run'] : []),
    ...(lastFixes === true ? ['--last-fixes'] : []),
    ...(asJson ? ['--json'] : []),
  ]);
  return { value: { exitCode }, lines: [], exitCode };
}
