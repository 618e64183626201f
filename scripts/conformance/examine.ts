import { conformanceCommand } from '../../services/cli/conformance/command.ts';
import { checksOf } from '../../services/conformance/all-checks.ts';
import type { Role } from '../../services/conformance/check.ts';
import type { KitReport } from '../../services/conformance/report.ts';

/** Whom to examine: the address of each role that is there, and as whom the kit comes. */
export interface Counterpart {
  readonly targets: Readonly<Partial<Record<Role, string>>>;
  readonly tokenTarget: string;
  readonly finalCode: string;
  /** The credentials, by the names that `rastro conformance` reads. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The checks of all roles counted together. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Runs `rastro conformance` (or a stand-in of it) once. */
export type Command = (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<KitReport>;

const kit: Command = (args, env) => conformanceCommand({ env }, args);

/**
 * Runs the kit against every role that has an address and prints its tables. `only` leaves out
 * roles of which no check begins so. Throws when the kit could not be run at all.
 */
export async function examine(
  { targets, tokenTarget, finalCode, env }: Counterpart, only: string,
  print: (text: string) => void, command: Command = kit,
): Promise<Counts> {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const [role, target] of Object.entries(targets) as [Role, string][]) {
    if (checksOf(role, only).length === 0) continue;
    const { value, lines, exitCode } = await command([
      '--target', target, '--token-target', tokenTarget, '--role', role,
      '--final-code', finalCode, '--only', only,
    ], env);
    if (exitCode === 2) throw new Error(lines[0]);
    print(`\n${role}\n${lines.join('\n')}\n`);
    const counts = value as Counts;
    for (const kind of ['passed', 'failed', 'skipped'] as const) total[kind] += counts[kind];
  }
  return total;
}

/** The last line; a skipped check is no proof, so it ends the run with 1 as a failed one does. */
export function summary({ passed, failed, skipped }: Counts): {
  readonly line: string;
  readonly exitCode: number;
} {
  return {
    line: `${passed} passed, ${failed} failed, ${skipped} skipped`,
    exitCode: passed > 0 && failed === 0 && skipped === 0 ? 0 : 1,
  };
}
