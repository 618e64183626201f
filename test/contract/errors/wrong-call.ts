import type { WholeEdge } from '../../support/whole-edge.ts';
import type { CallerName, CalledStage } from './callers.ts';
import type { ReviewGroup } from './review.ts';

/** What a stranger needs after the answer: nothing (A), a page of the docs (B), help (C). */
export type Grade = 'A' | 'B' | 'C';

/** How a wrong call is sent: the example of the document for its operation, with the mistake. */
export interface SentCall {
  /** Operation of the catalog; its example is what is not said here. */
  readonly to: string;
  readonly as?: CallerName;
  readonly device?: CalledStage;
  /** Members of the body that are other than the example's, by JSON pointer. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Members of the body that are left out, by JSON pointer. */
  readonly drop?: readonly string[];
  /** The whole body, in the place of the example. */
  readonly body?: unknown;
  /** The bytes of the body, in the place of its JSON. */
  readonly bytes?: string | Buffer;
  /** Parameters other than the example's; `null` leaves one out. */
  readonly params?: Readonly<Record<string, string | null>>;
  /** Text behind the query of the example. */
  readonly more?: string;
  readonly method?: string;
  /** The whole target of the request, in the place of the operation's path and query. */
  readonly target?: string;
  /** Headers besides the usual ones; `null` takes one away. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  /** The lines of the request as they go over the connection, in the place of all else. */
  readonly raw?: readonly string[];
  /** What has happened before the call. */
  readonly before?: (at: WholeEdge) => Promise<unknown>;
}

/** What the answer must be. */
export interface WantedAnswer {
  readonly status: number;
  /** `code` of the body, or the `error_code` of an authorization. */
  readonly code?: string;
  /** Pointers of its faults, in order. */
  readonly at?: readonly string[];
  /** What the sentences for people must say, each of it somewhere. */
  readonly says: readonly string[];
}

/** One mistake that a sender makes, and how it is answered. */
export interface WrongCall extends SentCall {
  readonly id: string;
  /** The mistake in a few words. */
  readonly mistake: string;
  /** Group of calls of the review that it is one of; none for those of our own. */
  readonly review?: ReviewGroup;
  readonly answer: WantedAnswer;
  /** What its dry run warns of, where the call is taken: codes with their pointers. */
  readonly warns?: readonly string[];
  /** Texts of the call that the answer must not repeat: secrets, and what is about a person. */
  readonly hides?: readonly string[];
  readonly grade: Grade;
  /** Why it is not A. */
  readonly why?: string;
}
