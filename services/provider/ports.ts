import type { Clock } from '../kernel/clock.ts';

/** A clock that can also wait; tests hand in one whose waits cost no time. */
export interface WaitingClock extends Clock {
  /** Ends after so many milliseconds, or at once when the signal aborts. Never rejects. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** A request as it goes out, byte for byte; a repeat sends the same object again. */
export interface OutgoingRequest {
  readonly method: 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** What came back: an answer, or nothing one could rely on (cut, refused connection, timeout). */
export type HttpReply =
  | {
    readonly kind: 'answer';
    readonly status: number;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly body: string;
  }
  | { readonly kind: 'lost'; readonly reason: string };

/** Sends one request once. It never throws: a lost answer is a value. */
export type SendOnce = (request: OutgoingRequest) => Promise<HttpReply>;
