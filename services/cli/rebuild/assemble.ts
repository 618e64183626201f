import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runProgram } from '../../adapters/system/run-program.ts';
import type { Report } from '../ports.ts';
import { misuse } from '../usage.ts';

/** The program of the workers that rebuilds: deployables share no code. */
const PROGRAM = join(import.meta.dirname, '..', '..', 'workers', 'rebuild-once.ts');

const OPTIONS = { 'dry-run': { type: 'boolean' }, positions: { type: 'boolean' } } as const;

/**
 * `rastro rebuild redis | clickhouse`: runs the workers' own program, which prints what it finds;
 * the report says the exit code alone. Wrong use is found before it starts.
 */
export async function rebuildCommand(args: readonly string[], asJson: boolean): Promise<Report> {
  const { positionals } = parseArgs({
    args: [...args], options: OPTIONS, allowPositionals: true,
  });
  const [store, ...more] = positionals;
  if (more.length > 0 || (store !== 'redis' && store !== 'clickhouse')) {
    return misuse('Say which: redis or clickhouse.');
  }
  const exitCode = await runProgram(PROGRAM, [...args, ...(asJson ? ['--json'] : [])]);
  return { value: { exitCode }, lines: [], exitCode };
}
