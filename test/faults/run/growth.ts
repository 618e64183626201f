import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_FILES, type Sample } from '../run-files.ts';

/** How a process changed from the second quarter of a run to its last. */
export interface Growth {
  readonly process: string;
  readonly rssMiB: readonly [number, number];
  readonly sockets: readonly [number, number];
  /** What memory and sockets gained by that in an hour. */
  readonly rssMiBPerHour: number;
  readonly socketsPerHour: number;
  /** True when both stay within what a restart or a full buffer explains. */
  readonly isFlat: boolean;
}

const MIB = 1_048_576;
const HOUR_NS = 3_600_000_000_000;
const RSS_MIB_MAX = 64;
const GROWTH_RATIO_MAX = 1.3;
const SOCKETS_MAX = 20;

/** Reads what was sampled in the directory of a run. */
export function growthIn(dir: string): readonly Growth[] {
  const lines = readFileSync(join(dir, RUN_FILES.samples), 'utf8').trim().split('\n');
  return growthOf(lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Sample));
}

/**
 * The ninth decile of quarters: processes are killed and start again small, and a broker that is
 * killed takes all lines to it along, which come back one by one.
 */
export function growthOf(samples: readonly Sample[]): readonly Growth[] {
  return [...new Set(samples.map(({ process }) => process))].map((process) => {
    const own = samples.filter((sample) => sample.process === process);
    const quarter = Math.floor(own.length / 4);
    const [early, late] = [own.slice(quarter, quarter * 2), own.slice(quarter * 3)];
    const pair = (of: (sample: Sample) => number): readonly [number, number] =>
      [ninthDecile(early.map(of)), ninthDecile(late.map(of))];
    const rssMiB = pair(({ rss_bytes }) => Math.round(rss_bytes / MIB));
    const sockets = pair((sample) => sample.sockets);
    const hours = (middleNs(late) - middleNs(early)) / HOUR_NS;
    const perHour = ([from, to]: readonly [number, number]): number =>
      hours > 0 ? Math.round((to - from) / hours) : 0;
    return {
      process, rssMiB, sockets, rssMiBPerHour: perHour(rssMiB), socketsPerHour: perHour(sockets),
      isFlat: rssMiB[1] <= rssMiB[0] * GROWTH_RATIO_MAX + RSS_MIB_MAX
        && sockets[1] <= sockets[0] * GROWTH_RATIO_MAX + SOCKETS_MAX,
    };
  });
}

/** One line about a process. */
export function lineOfGrowth(growth: Growth): string {
  const { process, rssMiB, sockets, rssMiBPerHour, socketsPerHour, isFlat } = growth;
  return `${isFlat ? 'flat' : 'GREW'}  ${process}: ${rssMiB.join(' to ')} MiB `
    + `(${signed(rssMiBPerHour)} an hour), ${sockets.join(' to ')} sockets `
    + `(${signed(socketsPerHour)} an hour)`;
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

function middleNs(samples: readonly Sample[]): number {
  return Number(samples[Math.floor(samples.length / 2)]?.t_ns ?? 0);
}

function ninthDecile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.9)] ?? 0;
}
