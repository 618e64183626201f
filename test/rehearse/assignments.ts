import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessName } from '../faults/cluster/cluster-processes.ts';

/** From when a member of a group has how many partitions; 0 after it lost them. */
export interface AssignmentLine {
  readonly member: string;
  readonly atMs: number;
  readonly partitions: number;
}

/** An interval of the wall clock, in milliseconds. */
export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

const EVENTS: readonly unknown[] = ['consumer_assigned', 'consumer_revoked'];

/**
 * What processes logged about their assignments in a group, in the order of time. Partitions are
 * revoked when the batch in progress is committed, and assigned when their offsets are known.
 */
export function readAssignments(
  dir: string, names: readonly ProcessName[], group: string,
): readonly AssignmentLine[] {
  return names.flatMap((name) => readFileSync(join(dir, name, 'output.log'), 'utf8').split('\n')
    .flatMap((line) => assignmentIn(line, name, group))).toSorted((a, b) => a.atMs - b.atMs);
}

function assignmentIn(text: string, member: string, group: string): readonly AssignmentLine[] {
  if (!text.startsWith('{') || !text.includes(group)) return [];
  const line = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (line['group'] !== group || !EVENTS.includes(line['event'])) return [];
  const isTaken = line['event'] === 'consumer_assigned';
  return [{
    member, atMs: Date.parse(String(line['time'])),
    partitions: isTaken ? Number(line['partitions']) : 0,
  }];
}

/**
 * How long some partition had no owner at most, in milliseconds: the longest time in which members
 * had fewer than `total` together. Only what lies within the interval counts.
 */
export function longestWithoutOwner(
  lines: readonly AssignmentLine[], total: number, { fromMs, toMs }: Interval,
): number {
  const assignments = new Map<string, number>();
  let longest = 0;
  let sinceMs: number | undefined;
  const endAt = (atMs: number): void => {
    if (sinceMs !== undefined) {
      longest = Math.max(longest, Math.min(atMs, toMs) - Math.max(sinceMs, fromMs));
    }
    sinceMs = undefined;
  };
  for (const { member, atMs, partitions } of lines) {
    assignments.set(member, partitions);
    const owned = [...assignments.values()].reduce((sum, own) => sum + own, 0);
    if (owned >= total) endAt(atMs);
    else sinceMs ??= atMs;
  }
  endAt(toMs);
  return longest;
}
