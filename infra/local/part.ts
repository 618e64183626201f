/** Where the launchers say what happens: one line at a time, two grades. */
export type Log = (grade: 'info' | 'warning', line: string) => void

/** Writes the lines of a start to standard error. */
export const printLine: Log = (grade, line) => {
  process.stderr.write(`${grade === 'warning' ? 'warning: ' : ''}${line}\n`);
};

/** The four parts of the local stack. */
export const PART_NAMES = ['kafka', 'redis', 'clickhouse', 'registry'] as const;

/** The name of one part. */
export type PartName = (typeof PART_NAMES)[number]

/**
 * A running, supervised part. `kill` is a crash (the supervisor brings the part back; wait for
 * `ready`), `stop` and `start` are planned, `stop` is graceful within its limit and then SIGKILL.
 */
export type Part = {
  readonly name: string;
  /** Process id of the present incarnation; undefined while the part is down. */
  pid(): number | undefined;
  /** Resolves once the part answers its own protocol; throws one sentence when it cannot. */
  ready(): Promise<void>;
  /** Ends the process with SIGKILL and resolves when it is gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  restart(): Promise<void>;
};
