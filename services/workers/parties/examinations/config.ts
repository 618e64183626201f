import { RUN_MS_MAX } from '../../../domain/examination/examination.ts';
import type { DueRunnerConfig } from '../common/due-work.ts';

/** Settings of the examiner. */
export interface ExaminerConfig extends DueRunnerConfig {
  /** How long all checks of a run may take together. */
  readonly runMsMax: number;
}

/** Defaults of {@link ExaminerConfig}. A run that outlasts its lease is not begun again. */
export const EXAMINER_LIMITS: ExaminerConfig = {
  runMsMax: RUN_MS_MAX,
  pollMs: 500,
  leaseMs: RUN_MS_MAX + 30_000,
  inFlightMax: 4,
  inFlightMaxPerParty: 1,
  busyMs: 1_000,
  appendMsMax: 10_000,
};
