/** How much of some long work is done. */
export interface Progress {
  /** Adds what is done now. */
  readonly add: (more: number) => void;
}

/** Where progress is reported, and the time. */
export interface ProgressPorts {
  /** A line for people, beside what the command writes. */
  readonly report: (line: string) => void;
  readonly nowMs: () => number;
}

const QUIET_MS = 2_000;

/**
 * Reports every two seconds how much is done, the rate, and the time that the rest takes at this
 * rate. What takes less is quiet.
 */
export function startProgress(
  total: number, { report, nowMs }: ProgressPorts, unit = 'rows',
): Progress {
  const startedMs = nowMs();
  let [done, reportedMs] = [0, startedMs];
  return {
    add(more) {
      done += more;
      const now = nowMs();
      if (now - reportedMs < QUIET_MS) return;
      reportedMs = now;
      const perSecond = done / ((now - startedMs) / 1_000);
      const leftS = Math.max(total - done, 0) / perSecond;
      report(`${grouped(done)} of ${grouped(Math.max(total, done))} ${unit}, `
        + `${grouped(perSecond)} ${unit}/s, ${timeOf(leftS)} left`);
    },
  };
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function timeOf(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'some time';
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  return whole < 3_600 ? `${Math.ceil(whole / 60)} min` : `${(whole / 3_600).toFixed(1)} h`;
}
