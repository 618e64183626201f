import type { Problem } from './types.ts';

/** The gateway refused a call for good: a 4xx that must not be repeated as it is. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(`${status} ${problem.code}: ${problem.detail}`);
    this.status = status;
    this.problem = problem;
  }
}

/** No token is given to this client id and secret: nothing can be sent until they are corrected. */
export class TokenRefused extends CallRefused {}

/** One item alone is larger than the body of a call may be. */
export class ItemTooLarge extends Error {
  override readonly name = 'ItemTooLarge';
}

/** The sender has ended, by `close` or by the error that is its cause. */
export class SenderClosed extends Error {
  override readonly name = 'SenderClosed';
}

/** Another process has the spool open. */
export class SpoolInUse extends Error {
  override readonly name = 'SpoolInUse';
}

/** Bytes that were safe on the disk are not what was written: a person must decide. */
export class SpoolDamaged extends Error {
  override readonly name = 'SpoolDamaged';
}
