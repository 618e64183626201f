import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Offence } from './banned.ts';

/** Offences that are left, by gate and rule. Without the file none may be left. */
export const RATCHET = 'scripts/quality/words-left.json';

type Counts = Readonly<Record<string, number>>;
interface Ratchet {
  /** True: a count that fell must be written down in the same commit. */
  readonly isExact: boolean;
  readonly left: Readonly<Record<string, Counts>>;
}

const shownMax = 12;

/** Complaints about rules whose count rose, or fell without being written down. */
export function heldAgainst(
  root: string, gate: string, offences: readonly Offence[],
): readonly string[] {
  const ratchet = readRatchet(root);
  const left = ratchet?.left[gate] ?? {};
  const found = Map.groupBy(offences, ({ rule }) => rule);
  return [...new Set([...Object.keys(left), ...found.keys()])].flatMap((rule) => {
    const those = found.get(rule) ?? [];
    const most = left[rule] ?? 0;
    if (those.length > most) return [risen(gate, rule, most, those)].flat();
    if (those.length === most || ratchet?.isExact !== true) return [];
    return [`"${rule}": ${those.length}, the file says ${most}: run ${WRITE}`];
  });
}

const WRITE = 'node scripts/check.ts --write-words-left';

function risen(
  gate: string, rule: string, most: number, offences: readonly Offence[],
): readonly string[] {
  const shown = offences.slice(0, shownMax);
  if (most === 0) return [...shown.map(describeOffence), ...hiddenLine(offences.length)];
  return [
    `"${rule}" rose from ${most} to ${offences.length}; all of them: `
      + `node scripts/check.ts --list ${gate} --rule "${rule}"`,
  ];
}

function hiddenLine(count: number): readonly string[] {
  return count > shownMax ? [`and ${count - shownMax} more`] : [];
}

/** One line for people. */
export function describeOffence({ path, line, rule, says, instead }: Offence): string {
  return `${path}:${line} "${rule}" in "${says}": ${instead}`;
}

/** Writes today's counts of all gates; removes the file when nothing is left. */
export function writeRatchet(
  root: string, offencesByGate: Readonly<Record<string, readonly Offence[]>>,
): void {
  const isExact = readRatchet(root)?.isExact ?? false;
  const left = Object.fromEntries(Object.entries(offencesByGate).map(([gate, offences]) => {
    const counts = [...Map.groupBy(offences, ({ rule }) => rule)]
      .map(([rule, those]) => [rule, those.length] as const);
    return [gate, Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1)))];
  }));
  const isEmpty = Object.values(left).every((counts) => Object.keys(counts).length === 0);
  if (isEmpty) rmSync(join(root, RATCHET), { force: true });
  else writeFileSync(join(root, RATCHET), `${JSON.stringify({ isExact, left }, null, 2)}\n`);
}

function readRatchet(root: string): Ratchet | undefined {
  const path = join(root, RATCHET);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) as Ratchet : undefined;
}
