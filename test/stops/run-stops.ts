import type { Cache } from '../../infra/local/cache.ts';
import type { NaiveFix } from '../support/naive-days/naive-days.ts';
import { foundByMovingPandas } from './moving-pandas.ts';
import { recordedDrives } from './recorded-drives.ts';
import { foundByRules, scoreOf, type Found, type Score } from './score.ts';
import { fixesOfDrive, simulatedDrive, type Sampling } from './simulated-drive.ts';

/** Drives of one kind: the score of our rules, and of MovingPandas on the same fixes. */
export interface StopsRow {
  readonly kind: string;
  readonly drives: number;
  readonly stops: number;
  readonly ours: Score;
  readonly theirs: Score | undefined;
}

/** A vehicle that is parked for an hour, as it would show in v_device_days. */
export interface ParkedRow {
  readonly kind: string;
  readonly meters: number;
  readonly drivingS: number;
  readonly stops: number;
}

interface Trial { readonly kind: string; readonly truth: Found; readonly fixes: readonly NaiveFix[] }

const NOISES_M = [3, 8, 15, 30];
const INTERVALS_S = [1, 5, 30, 60];
const SEEDS = [1];
const STOPS = 12;
const DIAMETER_M = 60;
/** MovingPandas takes minutes for a drive with a fix each second. */
const THEIR_STEP_S_MIN = 3;

/** Scores of simulated and recorded drives. */
export async function runStops(cache: Cache): Promise<readonly StopsRow[]> {
  const drives = [...simulated(), ...await recorded()];
  const sparse = drives.filter(({ fixes }) => stepOf(fixes) >= THEIR_STEP_S_MIN);
  const found = await foundByMovingPandas(cache, sparse.map(({ fixes }) => fixes), DIAMETER_M);
  const theirs = new Map(sparse.map((drive, index) => [drive, found[index]]));
  const scored = drives.map((drive) => {
    const { kind, truth, fixes } = drive;
    const other = theirs.get(drive);
    return {
      kind, stops: truth.stops.length, ours: scoreOf(truth, foundByRules(fixes)),
      theirs: other === undefined ? [] : [scoreOf(truth, other)],
    };
  });
  return [...Map.groupBy(scored, ({ kind }) => kind)].map(([kind, all]) => ({
    kind, drives: all.length, stops: all.reduce((sum, { stops }) => sum + stops, 0),
    ours: meanOf(all.map(({ ours }) => ours)), 
    theirs: all.some((row) => row.theirs.length > 0)
      ? meanOf(all.flatMap((row) => row.theirs)) : undefined,
  }));
}

/** An hour at one place, with an accuracy of 10 m. */
export function parkedRows(): readonly ParkedRow[] {
  const seconds = Array.from({ length: 3_600 }, () => ({ x: 0, y: 0, kmh: 0 }));
  const kinds: readonly Sampling[] = [
    { everyS: 1, noiseM: 4, reportsSpeed: false }, { everyS: 5, noiseM: 8, reportsSpeed: false },
    { everyS: 30, noiseM: 15, reportsSpeed: false }, { everyS: 1, noiseM: 4, reportsSpeed: true },
  ];
  return kinds.map((kind) => {
    const fixes = fixesOfDrive({ seconds, stops: [], meters: 0 }, kind, 7)
      .map((fix) => ({ ...fix, accuracy: 10 }));
    return { kind: nameOf(kind), ...totalsOf(fixes) };
  });
}

function totalsOf(fixes: readonly NaiveFix[]): Omit<ParkedRow, 'kind'> {
  const found = foundByRules(fixes);
  return { meters: found.meters, drivingS: found.drivingS, stops: found.stops.length };
}

function simulated(): readonly Trial[] {
  return [false, true].flatMap((reportsSpeed) => NOISES_M.flatMap((noiseM) => (
    INTERVALS_S.flatMap((everyS) => SEEDS.map((seed) => {
      const truth = simulatedDrive(seed, STOPS);
      const sampling = { noiseM, everyS, reportsSpeed };
      return { kind: nameOf(sampling), truth, fixes: fixesOfDrive(truth, sampling, seed + 100) };
    }))
  )));
}

async function recorded(): Promise<readonly Trial[]> {
  return (await recordedDrives()).map(({ source, truth, fixes }) => ({ kind: source, truth, fixes }));
}

function nameOf({ noiseM, everyS, reportsSpeed }: Sampling): string {
  return `${noiseM} m, every ${everyS} s, ${reportsSpeed ? 'with speed' : 'no speed'}`;
}

function stepOf(fixes: readonly NaiveFix[]): number {
  return ((fixes.at(-1)?.ts ?? 0) - (fixes[0]?.ts ?? 0)) / fixes.length;
}

function meanOf(scores: readonly Score[]): Score {
  const mean = (of: (score: Score) => number): number => (
    scores.reduce((sum, score) => sum + of(score), 0) / scores.length
  );
  return {
    precision: mean(({ precision }) => precision), recall: mean(({ recall }) => recall),
    distanceError: mean(({ distanceError }) => distanceError),
    endsOffS: mean(({ endsOffS }) => endsOffS),
  };
}
