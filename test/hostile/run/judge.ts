/** What honest callers saw in a span of time. */
export interface Seen {
  readonly calls: number;
  /** Tries that got 429, 5xx or no answer. */
  readonly unanswered: number;
  readonly p99Ms: number;
}

/** One process in a span of time. */
export interface ProcessSeen {
  readonly name: string;
  /** How often it ended. */
  readonly endings: number;
  readonly rssMiBMax: number;
}

/** All that is judged of one offender. */
export interface Observed {
  /** Calm spans before and after it. */
  readonly calm: readonly Seen[];
  readonly during: Seen;
  readonly processes: readonly ProcessSeen[];
  /** Queries of the honest analyst that failed, and whether the offender is an analyst too. */
  readonly failedQueries: number;
  readonly isAnalyst: boolean;
  /** How often the offender was answered, or cut off. */
  readonly offences: number;
}

/** A machine of two cores that carries everything gives no better figure below this. */
export const P99_MS_FREE = 300;
/** A process of the product may hold so much while someone misbehaves. */
export const RSS_MIB_MAX = 832;
const P99_RATIO_MAX = 2;
const UNANSWERED_SHARE_MAX = 0.01;
const CALLS_MIN = 50;

/** What is wrong, in sentences; none when the offender did no harm. */
export function judge(observed: Observed): readonly string[] {
  const { calm, during, processes, failedQueries, isAnalyst, offences } = observed;
  const calmMs = Math.max(...calm.map(({ p99Ms }) => p99Ms));
  const allowedMs = Math.max(P99_RATIO_MAX * calmMs, P99_MS_FREE);
  return [
    ...(during.calls < CALLS_MIN
      ? [`Only ${during.calls} honest calls were answered, which shows nothing.`] : []),
    ...(offences === 0 ? ['The offender did nothing.'] : []),
    ...(during.p99Ms > allowedMs
      ? [`The honest p99 was ${during.p99Ms} ms; allowed are ${allowedMs}.`] : []),
    ...(during.unanswered > during.calls * UNANSWERED_SHARE_MAX
      ? [`${during.unanswered} honest tries had no answer, 429 or 5xx.`] : []),
    ...processes.flatMap(({ name, endings }) => (
      endings === 0 ? [] : [`${name} ended ${endings} times.`]
    )),
    ...processes.flatMap(({ name, rssMiBMax }) => (
      rssMiBMax <= RSS_MIB_MAX ? [] : [`${name} grew to ${rssMiBMax} MiB.`]
    )),
    ...(failedQueries > 0 && !isAnalyst
      ? [`${failedQueries} queries of the honest analyst failed.`] : []),
  ];
}
