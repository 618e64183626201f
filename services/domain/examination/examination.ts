import type { AddressExamination, ExaminationAsked } from '../../kernel/examinations.ts';

/** How long the checks of one run may take together. */
export const RUN_MS_MAX = 120_000;
/** From the question to the end, with the wait for a process that takes it. */
export const PROGRESS_MS_MAX = 180_000;
/** Runs of one party that begin in an hour. */
export const ASKS_PER_HOUR_MAX = 12;

const HOUR_MS = 3_600_000;

/** When the examination of a party was asked for, in the last hour, and the newest one. */
export interface Asks {
  readonly times: readonly number[];
  readonly newest: Pick<AddressExamination, 'askedAtMs' | 'endedAtMs'> | undefined;
}

/** The times of an hour with the new one, or how long to wait: one run at a time, and so many. */
export function decideAsk(
  { times, newest }: Asks, nowMs: number,
): { readonly kind: 'ask'; readonly times: readonly number[] }
  | Extract<ExaminationAsked, { kind: 'wait' }> {
  if (newest !== undefined && isInProgress(newest, nowMs)) {
    return wait('in_progress', newest.askedAtMs + PROGRESS_MS_MAX - nowMs);
  }
  const recent = times.filter((atMs) => atMs > nowMs - HOUR_MS);
  const [first] = recent.slice(-ASKS_PER_HOUR_MAX);
  return first !== undefined && recent.length >= ASKS_PER_HOUR_MAX
    ? wait('hour', first + HOUR_MS - nowMs)
    : { kind: 'ask', times: [...recent, nowMs] };
}

/** True until it ends, or is so old that no process will end it. */
export function isInProgress(
  { askedAtMs, endedAtMs }: Pick<AddressExamination, 'askedAtMs' | 'endedAtMs'>, nowMs: number,
): boolean {
  return endedAtMs === undefined && nowMs < askedAtMs + PROGRESS_MS_MAX;
}

function wait(
  because: 'in_progress' | 'hour', waitMs: number,
): Extract<ExaminationAsked, { kind: 'wait' }> {
  return { kind: 'wait', because, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}
