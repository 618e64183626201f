/** From one second to another. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Stops, trips and meters of one drive: the truth, or what something makes of its fixes. */
export interface Found {
  readonly stops: readonly TimeSpan[];
  readonly trips: readonly TimeSpan[];
  readonly meters: number;
}

/** How many spans were there and were found. */
export interface Hits {
  readonly there: number;
  readonly found: number;
  readonly matched: number;
  /** Errors of the ends of matched spans together, seconds; two ends of each are counted. */
  readonly endsOffS: number;
}

/** How much of the truth was found in some drives. */
export interface Score {
  readonly stops: Hits;
  readonly trips: Hits;
  readonly meters: number;
  readonly truthMeters: number;
}

/** What was found in one drive, compared with its truth. */
export function scoreOf(truth: Found, found: Found): Score {
  return {
    stops: hitsOf(truth.stops, found.stops), trips: hitsOf(truth.trips, found.trips),
    meters: found.meters, truthMeters: truth.meters,
  };
}

/** The scores of several drives as one: a stop counts the same in whichever drive it is. */
export function sumOf(scores: readonly Score[]): Score {
  const sum = (of: (score: Score) => number): number => (
    scores.reduce((total, score) => total + of(score), 0)
  );
  const hits = (of: (score: Score) => Hits): Hits => ({
    there: sum((score) => of(score).there), found: sum((score) => of(score).found),
    matched: sum((score) => of(score).matched), endsOffS: sum((score) => of(score).endsOffS),
  });
  return {
    stops: hits(({ stops }) => stops), trips: hits(({ trips }) => trips),
    meters: sum(({ meters }) => meters), truthMeters: sum(({ truthMeters }) => truthMeters),
  };
}

/** A span is found by one that shares half of the time that either takes; each finds one. */
function hitsOf(truth: readonly TimeSpan[], found: readonly TimeSpan[]): Hits {
  const left = new Set(found);
  let matched = 0;
  let endsOffS = 0;
  for (const span of truth) {
    const match = [...left].find((other) => overlapOf(span, other) >= 0.5);
    if (match === undefined) continue;
    left.delete(match);
    matched += 1;
    endsOffS += Math.abs(span.from - match.from) + Math.abs(span.to - match.to);
  }
  return { there: truth.length, found: found.length, matched, endsOffS };
}

function overlapOf(a: TimeSpan, b: TimeSpan): number {
  const both = Math.min(a.to, b.to) - Math.max(a.from, b.from);
  return both / Math.max(Math.max(a.to, b.to) - Math.min(a.from, b.from), 1);
}
