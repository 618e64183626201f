import type { Cache } from '../../infra/local/cache.ts';
import type { NaiveFix } from '../support/naive-fix.ts';
import { foundByViews } from './found-by-views.ts';
import { foundByMovingPandas } from './moving-pandas.ts';
import { recordedDrives } from './recorded-drives.ts';
import { fixesOfDrive, nameOf, type Sampling } from './sampled-fixes.ts';
import { scoreOf, sumOf, type Found, type Score } from './score.ts';
import { parkedHour, simulatedDrive } from './simulated-drive.ts';

/** Drives of one kind: the score of the views, and of MovingPandas on the same fixes. */
export interface StopsRow {
  readonly kind: string;
  readonly isSimulated: boolean;
  readonly drives: number;
  readonly ours: Score;
  readonly theirs: Score | undefined;
}

/** A vehicle that is parked for an hour, as the views show it. */
export interface ParkedRow {
  readonly kind: string;
  readonly meters: number;
  readonly drivingS: number;
  readonly stops: number;
}

/** All that is on the page. */
export interface StopsResult {
  readonly rows: readonly StopsRow[];
  readonly parked: readonly ParkedRow[];
}

interface Trial {
  readonly kind: string;
  readonly isSimulated: boolean;
  readonly truth: Found;
  readonly fixes: readonly NaiveFix[];
}

const NOISES_M = [3, 8, 15, 30];
const INTERVALS_S = [1, 5, 30, 60];
const DRIFT_S = 120;
const STOPS = 12;
const SEED = 1;
/** MovingPandas takes minutes for a drive with a fix each second. */
const THEIR_STEP_S_MIN = 3;

/** What the views and MovingPandas find in simulated and recorded drives. */
export async function runStops(cache: Cache): Promise<StopsResult> {
  const drives = [...simulated(), ...await recorded()];
  const parked = parkedTrials();
  const shown = await foundByViews(cache.dir, [...drives, ...parked].map(({ fixes }) => fixes));
  const sparse = drives.filter(({ fixes }) => stepOf(fixes) >= THEIR_STEP_S_MIN);
  const others = await foundByMovingPandas(cache, sparse.map(({ fixes }) => fixes));
  const theirs = new Map(sparse.map((drive, index) => [drive, others[index]]));
  const scored = drives.map((drive, index) => ({
    drive, ours: scoreFor(drive, shown[index]),
    theirs: theirs.has(drive) ? scoreFor(drive, theirs.get(drive)) : undefined,
  }));
  return {
    rows: [...Map.groupBy(scored, ({ drive }) => drive.kind)].map(([kind, all]): StopsRow => {
      const compared = all.flatMap((each) => each.theirs ?? []);
      return {
        kind, isSimulated: all.some(({ drive }) => drive.isSimulated), drives: all.length,
        ours: sumOf(all.map(({ ours }) => ours)),
        theirs: compared.length === all.length ? sumOf(compared) : undefined,
      };
    }),
    parked: parked.map(({ kind }, index): ParkedRow => {
      const one = shown[drives.length + index];
      if (one === undefined) throw new Error(`nothing was found of ${kind}`);
      return { kind, meters: one.meters, drivingS: one.drivingS, stops: one.stops.length };
    }),
  };
}

function scoreFor({ kind, truth }: Trial, found: Found | undefined): Score {
  if (found === undefined) throw new Error(`nothing was found of ${kind}`);
  return scoreOf(truth, found);
}

function simulated(): readonly Trial[] {
  const truth = simulatedDrive(SEED, STOPS);
  const samplings = [0, DRIFT_S].flatMap((driftS) => [false, true].flatMap((reportsSpeed) => (
    NOISES_M.flatMap((noiseM) => INTERVALS_S.map((everyS): Sampling => (
      { noiseM, driftS, everyS, reportsSpeed }
    )))
  )));
  return samplings.map((sampling) => ({
    kind: nameOf(sampling), isSimulated: true, truth,
    fixes: fixesOfDrive(truth, sampling, SEED + 100),
  }));
}

function parkedTrials(): readonly Trial[] {
  const truth = parkedHour();
  const samplings: readonly Sampling[] = [0, DRIFT_S].flatMap((driftS) => [
    { everyS: 1, noiseM: 4, driftS, reportsSpeed: false },
    { everyS: 5, noiseM: 8, driftS, reportsSpeed: false },
    { everyS: 30, noiseM: 15, driftS, reportsSpeed: false },
    { everyS: 30, noiseM: 30, driftS, reportsSpeed: false },
    { everyS: 30, noiseM: 30, driftS, reportsSpeed: true },
  ]);
  return samplings.map((sampling) => ({
    kind: nameOf(sampling), isSimulated: true, truth, fixes: fixesOfDrive(truth, sampling, 7),
  }));
}

async function recorded(): Promise<readonly Trial[]> {
  return (await recordedDrives()).map(({ source, truth, fixes }) => (
    { kind: source, isSimulated: false, truth, fixes }
  ));
}

function stepOf(fixes: readonly NaiveFix[]): number {
  return ((fixes.at(-1)?.ts ?? 0) - (fixes[0]?.ts ?? 0)) / fixes.length;
}
