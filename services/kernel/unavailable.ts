import { CODES, type Code } from './codes.ts';

/** Where in the data's way something went wrong; a bounded set, so that it may label a metric. */
export type Stage = 'boot' | 'receive' | 'admit' | 'decide' | 'append' | 'consume' | 'apply'
  | 'insert' | 'commit' | 'puller';

/**
 * The outside world failed (log, store, registry, sink). Gateways answer 500 with Retry-After,
 * workers wait and repeat without committing. `code` and `stage` say what, never the message text.
 */
export class Unavailable extends Error {
  readonly code: Code;
  readonly stage: Stage;

  constructor(code: Code, stage: Stage, detail: string, cause?: unknown) {
    super(`${code} at ${stage}: ${detail}`, cause === undefined ? undefined : { cause });
    this.name = 'Unavailable';
    this.code = code;
    this.stage = stage;
  }

  /** True when the same call may succeed later without any change. */
  get retryable(): boolean {
    return CODES[this.code].retryable;
  }
}

/** True for a {@link Unavailable}, also one that came through a `catch` of unknown type. */
export function isUnavailable(error: unknown): error is Unavailable {
  return error instanceof Unavailable;
}
