import { conformanceCommand } from '../../services/cli/conformance/command.ts';
import { checksOf } from '../../services/conformance/all-checks.ts';
import type { Role } from '../../services/conformance/check.ts';
import { PROFILES, type Counts, type Profile } from '../../services/conformance/profiles.ts';
import { countsLine, type KitCounts, type KitReport } from '../../services/conformance/report.ts';

/** Whom to examine: the address of each role that is there, and as whom the kit comes. */
export interface Counterpart {
  readonly targets: Readonly<Partial<Record<Role, string>>>;
  readonly tokenTarget: string;
  /** Undefined where no code ends a shipment. */
  readonly finalCode: string | undefined;
  /** The credentials, by the names that `rastro conformance` reads. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The checks of all roles counted together, under each profile. */
export type Totals = Readonly<Record<Profile, Counts>>;

/** Runs `rastro conformance` (or a stand-in of it) once. */
export type Command = (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<KitReport>;

const kit: Command = (args, env) => conformanceCommand({ env }, args);
const NONE: Counts = { passed: 0, failed: 0, skipped: 0, advised: 0 };

/** What of the kit runs, and how. */
export interface Examining {
  readonly only: string;
  readonly profile: Profile;
  /** The pace of token requests; that of the kit unless given. */
  readonly tokensPerMinute?: number;
}

/**
 * Runs the kit against every role that has an address and prints its tables, as `profile` has
 * them. `only` leaves out roles of which no check begins so. Throws when the kit could not be run
 * at all.
 */
export async function examine(
  { targets, tokenTarget, finalCode, env }: Counterpart,
  { only, profile, tokensPerMinute }: Examining,
  print: (text: string) => void, command: Command = kit,
): Promise<Totals> {
  let totals: Totals = { interface: NONE, rastro: NONE };
  for (const [role, target] of Object.entries(targets) as [Role, string][]) {
    if (checksOf(role, only).length === 0) continue;
    const { value, lines } = await command([
      '--target', target, '--token-target', tokenTarget, '--role', role, '--profile', profile,
      '--only', only, ...(finalCode === undefined ? [] : ['--final-code', finalCode]),
      ...(tokensPerMinute === undefined ? [] : ['--tokens-per-minute', String(tokensPerMinute)]),
    ], env);
    const { profiles, stopped } = value as Partial<KitCounts>;
    if (profiles === undefined) throw new Error(lines[0]);
    print(`\n${role}\n${lines.join('\n')}\n`);
    if (stopped !== undefined) throw new Error(`Stopped: ${stopped}.`);
    totals = plus(totals, profiles);
  }
  return totals;
}

/**
 * The last lines, one for each profile. A skipped check is no proof, so it ends the run with 1 as a
 * failed one does, unless a foreign counterpart is examined, who need not offer all.
 */
export function summary(
  totals: Totals, { decides, isForeign }: { decides: readonly Profile[]; isForeign: boolean },
): { readonly lines: readonly string[]; readonly exitCode: number } {
  const isGood = decides.every((profile) => {
    const { passed, failed, skipped, advised } = totals[profile];
    return passed + advised > 0 && failed === 0 && (isForeign || skipped === 0);
  });
  return {
    lines: PROFILES.map((profile) => `${profile}: ${countsLine(totals[profile])}`),
    exitCode: isGood ? 0 : 1,
  };
}

/** Two runs counted together. */
export function plus(one: Totals, other: Totals): Totals {
  return {
    interface: sum(one.interface, other.interface), rastro: sum(one.rastro, other.rastro),
  };
}

function sum(one: Counts, other: Counts): Counts {
  return {
    passed: one.passed + other.passed, failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped, advised: one.advised + other.advised,
  };
}
