/** The rows of a long export that are written. */
export interface ExportProgress {
  /** Adds rows that are written. */
  readonly add: (rows: number) => void;
}

/** Where progress is reported, and the time. */
export interface ProgressPorts {
  /** A line for people, beside what the command writes. */
  readonly report: (line: string) => void;
  readonly nowMs: () => number;
}

const QUIET_MS = 2_000;

/**
 * Reports every two seconds the rows of an export that are written, their rate, and the time that
 * the rest takes at this rate. What takes less is quiet.
 */
export function startProgress(rowsTotal: number, { report, nowMs }: ProgressPorts): ExportProgress {
  const startedMs = nowMs();
  let [rows, reportedMs] = [0, startedMs];
  return {
    add(more) {
      rows += more;
      const now = nowMs();
      if (now - reportedMs < QUIET_MS) return;
      reportedMs = now;
      const perSecond = rows / ((now - startedMs) / 1_000);
      const leftS = Math.max(rowsTotal - rows, 0) / perSecond;
      report(`${grouped(rows)} of ${grouped(Math.max(rowsTotal, rows))} rows, `
        + `${grouped(perSecond)} rows/s, ${timeOf(leftS)} left`);
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
