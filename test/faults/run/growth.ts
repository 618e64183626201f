import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_FILES, type Sample } from '../run-files.ts';
import { slopeOf, type Point, type Slope } from './slope.ts';

/** How a process changed from the second quarter of a run to its last. */
export interface Growth {
  readonly process: string;
  /** Resident memory: it follows the load, as a heap grows while much waits and shrinks later. */
  readonly rssMiB: readonly [number, number];
  readonly sockets: readonly [number, number];
  readonly socketsPerHour: number;
  /** What is left in use when rubbish was collected, in MiB; none where it was never asked. */
  readonly heldMiB: Slope | undefined;
  /** The same from the tenth minute of a life on; none where too few lives were so long. */
  readonly agedMiB: Slope | undefined;
  /** `GREW` where something piles up, or resident memory passes what a Pod may have. */
  readonly verdict: 'flat' | 'rises' | 'GREW';
}

const MIB = 1_048_576;
const MINUTE_NS = 60_000_000_000;
const HOUR_NS = 60 * MINUTE_NS;
/** Code is compiled and connections are opened in the first minutes of a life. */
const WARM_UP_MINUTES = 2;
/** Until then more code is compiled, as rare ways are taken, and what is remembered fills up. */
const AGED_MINUTES = 10;
/** Fewer minutes than these say nothing. */
const AGED_POINTS_MIN = 15;
const HELD_MIB_PER_HOUR_MAX = 16;
const AGED_MIB_PER_HOUR_MAX = 4;
/** The least memory limit of a Pod in infra/kubernetes/profiles. */
const RSS_MIB_MAX = 800;
const GROWTH_RATIO_MAX = 1.3;
const SOCKETS_MAX = 20;

/** Reads what was sampled in the directory of a run. */
export function growthIn(dir: string): readonly Growth[] {
  const lines = readFileSync(join(dir, RUN_FILES.samples), 'utf8').trim().split('\n');
  return growthOf(lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Sample));
}

/**
 * Resident memory and sockets by the ninth decile of quarters: processes are killed and start again
 * small, and a broker that is killed takes all lines to it along, which come back one by one. What
 * is held by the least of each minute, life by life.
 */
export function growthOf(samples: readonly Sample[]): readonly Growth[] {
  return [...Map.groupBy(samples, ({ process }) => process)].map(([process, own]) => {
    const quarter = Math.floor(own.length / 4);
    const [early, late] = [own.slice(quarter, quarter * 2), own.slice(quarter * 3)];
    const pair = (of: (sample: Sample) => number): readonly [number, number] =>
      [ninthDecile(early.map(of)), ninthDecile(late.map(of))];
    const rssMiB = pair(({ rss_bytes }) => Math.round(rss_bytes / MIB));
    const sockets = pair((sample) => sample.sockets);
    const hours = (middleNs(late) - middleNs(early)) / HOUR_NS;
    const lives = [...Map.groupBy(own, ({ pid }) => pid).values()].map(heldByMinute);
    const aged = lives.map((life) => life.filter(isAged));
    const heldMiB = slopeOf(lives);
    const agedMiB = aged.flat().length < AGED_POINTS_MIN ? undefined : slopeOf(aged);
    const isHeld = Math.max(...rssMiB) <= RSS_MIB_MAX
      && sockets[1] <= sockets[0] * GROWTH_RATIO_MAX + SOCKETS_MAX;
    return {
      process, rssMiB, sockets, heldMiB, agedMiB,
      socketsPerHour: hours > 0 ? Math.round((sockets[1] - sockets[0]) / hours) : 0,
      verdict: isHeld ? verdictOn(heldMiB, agedMiB) : 'GREW',
    };
  });
}

/** What the later minutes of lives say, and all minutes where lives were too short. */
function verdictOn(held: Slope | undefined, aged: Slope | undefined): Growth['verdict'] {
  const slope = aged ?? held;
  if (slope === undefined) return 'GREW';
  if (slope.low <= 0) return 'flat';
  const max = aged === undefined ? HELD_MIB_PER_HOUR_MAX : AGED_MIB_PER_HOUR_MAX;
  return slope.perHour <= max ? 'rises' : 'GREW';
}

/** One line about a process. */
export function lineOfGrowth(growth: Growth): string {
  const { process, rssMiB, sockets, heldMiB, agedMiB, socketsPerHour, verdict } = growth;
  const held = heldMiB === undefined ? 'held not measured'
    : `held ${signed(heldMiB.perHour)} MiB an hour ${boundsOf(heldMiB)}`;
  const aged = agedMiB === undefined ? ''
    : `, from minute ${AGED_MINUTES} on ${signed(agedMiB.perHour)} ${boundsOf(agedMiB)}`;
  return `${verdict.padEnd(5)} ${process}: ${rssMiB.join(' to ')} MiB, ${held}${aged}, `
    + `${sockets.join(' to ')} sockets (${signed(socketsPerHour)} an hour)`;
}

function isAged({ atHours }: Point): boolean {
  return atHours * 60 >= AGED_MINUTES;
}

function boundsOf({ low, high }: Slope): string {
  return `(${signed(low)} to ${signed(high)})`;
}

/** What one life of a process held at least, by minute, once it was warm. */
function heldByMinute(life: readonly Sample[]): readonly Point[] {
  const first = Number(life[0]?.t_ns ?? 0);
  const minuteOf = ({ t_ns }: Sample): number => Math.floor((Number(t_ns) - first) / MINUTE_NS);
  const asked = life.filter((sample) => sample.held_bytes !== undefined);
  return [...Map.groupBy(asked, minuteOf)]
    .filter(([minute]) => minute >= WARM_UP_MINUTES)
    .map(([minute, own]) => ({
      atHours: minute / 60,
      value: Math.min(...own.map(({ held_bytes = 0 }) => held_bytes)) / MIB,
    }));
}

function signed(value: number): string {
  const text = value.toFixed(Math.abs(value) < 10 && !Number.isInteger(value) ? 1 : 0);
  return value > 0 ? `+${text}` : text;
}

function middleNs(samples: readonly Sample[]): number {
  return Number(samples[Math.floor(samples.length / 2)]?.t_ns ?? 0);
}

function ninthDecile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.9)] ?? 0;
}
