import { join } from 'node:path';
import { runProgram } from '../adapters/system/run-program.ts';

/** The program of the workers that rebuilds: deployables share no code. */
const PROGRAM = join(import.meta.dirname, '..', 'workers', 'rebuild-once.ts');

/** `rastro rebuild redis | clickhouse`: runs the workers' own program; answers its exit code. */
export function rebuildCommand(args: readonly string[], asJson: boolean): Promise<number> {
  return runProgram(PROGRAM, [...args, ...(asJson ? ['--json'] : [])]);
}
