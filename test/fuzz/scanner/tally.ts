/** A body that the scanner gets wrong, and how to make it again. */
export interface WrongCase {
  readonly seed: number;
  readonly chunk: number;
  readonly at: number;
  readonly reason: string;
  readonly base64: string;
}

/** Counts of a run. `good` bodies are unbroken; `acceptable` ones the exact path takes. */
export interface ScanTally {
  readonly cases: number;
  readonly taken: number;
  readonly rewritten: number;
  readonly good: number;
  readonly goodTaken: number;
  /** Of the cases that were read exactly whatever came of them. */
  readonly acceptable: number;
  readonly acceptableTaken: number;
  readonly wrong: number;
  readonly wrongCases: readonly WrongCase[];
}

const SHOWN_MAX = 20;

// A scanner that leaves everything to the exact path is never wrong, and of no use.
const GOOD_SHARE_MIN = 0.999;
const ACCEPTABLE_SHARE_MIN = 0.5;

/** Counts of nothing. */
export const NO_CASES: ScanTally = {
  cases: 0, taken: 0, rewritten: 0, good: 0, goodTaken: 0, acceptable: 0, acceptableTaken: 0,
  wrong: 0, wrongCases: [],
};

/** Both counts together; of the wrong cases only some are kept. */
export function addTallies(one: ScanTally, other: ScanTally): ScanTally {
  const sum = (name: Exclude<keyof ScanTally, 'wrongCases'>): number => one[name] + other[name];
  return {
    cases: sum('cases'), taken: sum('taken'), rewritten: sum('rewritten'), good: sum('good'),
    goodTaken: sum('goodTaken'), acceptable: sum('acceptable'),
    acceptableTaken: sum('acceptableTaken'), wrong: sum('wrong'),
    wrongCases: [...one.wrongCases, ...other.wrongCases].slice(0, SHOWN_MAX),
  };
}

/** What is wrong with a run; empty when nothing is. */
export function complaintsOf(tally: ScanTally): string[] {
  const complaints: string[] = [];
  if (tally.cases === 0) complaints.push('no body was compared');
  if (tally.wrong > 0) complaints.push(`${tally.wrong} bodies were scanned wrongly`);
  if (fraction(tally.goodTaken, tally.good) < GOOD_SHARE_MIN) {
    complaints.push('too few good bodies were taken');
  }
  if (fraction(tally.acceptableTaken, tally.acceptable) < ACCEPTABLE_SHARE_MIN) {
    complaints.push('too few acceptable bodies were taken');
  }
  return complaints;
}

/** The counts as one line. */
export function describeTally(tally: ScanTally): string {
  const percent = (part: number, whole: number): string => `${(100 * fraction(part, whole)).toFixed(2)} %`;
  return `${tally.cases} cases, taken ${percent(tally.taken, tally.cases)} (rewritten`
    + ` ${percent(tally.rewritten, tally.cases)}), of good bodies`
    + ` ${percent(tally.goodTaken, tally.good)}, of acceptable ones`
    + ` ${percent(tally.acceptableTaken, tally.acceptable)}, wrong ${tally.wrong}`;
}

function fraction(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
