import type { DueQueue } from './due-queue.ts';

/** One check of an examination as it ended. */
export interface ExaminedCheck {
  readonly id: string;
  readonly title: string;
  /** What it rests on: the contract, or a choice of ours where the contract is silent. */
  readonly level: 'must' | 'should';
  readonly outcome: 'passed' | 'failed' | 'advice' | 'skipped';
  /** What was asked and what came, or why it was not asked. */
  readonly reasons: readonly string[];
}

/** Who wants the address of which party examined, and with which country in its bodies. */
export interface AskedExamination {
  readonly partyId: string;
  readonly clientId: string;
  readonly country: string;
  /** Another one for each run, so that who was late for one writes nothing into the next. */
  readonly run: string;
}

/** The newest examination of a party. */
export interface AddressExamination extends AskedExamination {
  readonly askedAtMs: number;
  readonly startedAtMs?: number | undefined;
  readonly endedAtMs?: number | undefined;
  /** Why not all checks were made. */
  readonly stopped?: string | undefined;
  /** How many checks there will be, once it has begun. */
  readonly planned?: number | undefined;
  /** Those that were made so far, in their order. */
  readonly checks: readonly ExaminedCheck[];
}

/** Whether an examination was asked for, or how long to wait before. */
export type ExaminationAsked =
  | { readonly kind: 'asked'; readonly examination: AddressExamination }
  | {
    readonly kind: 'wait';
    readonly because: 'in_progress' | 'hour';
    readonly retryAfterSeconds: number;
  };

/**
 * The newest examination of each party, for a day, and a queue of parties whose examination is
 * asked for. Every call rejects with `Unavailable`.
 */
export interface Examinations extends DueQueue {
  /** Those that are there, in the order of the parties. */
  find(partyIds: readonly string[]): Promise<readonly AddressExamination[]>;
  ask(asked: AskedExamination): Promise<ExaminationAsked>;
  /** Says that a run has begun; false where it may not. */
  begin(examination: AddressExamination, planned: number): Promise<boolean>;
  /** Keeps a check of a run that has not ended. */
  add(examination: AddressExamination, check: ExaminedCheck): Promise<void>;
  /** Ends a run, once. */
  end(examination: AddressExamination, stopped: string | undefined): Promise<void>;
}

/** A token for the audience of a check, or a sentence why there is none. */
export type ExaminerToken =
  | { readonly kind: 'token'; readonly token: string }
  /** With `isOurs` nothing is wrong at the party: the check cannot be made by the platform. */
  | { readonly kind: 'none'; readonly why: string; readonly isOurs: boolean };
