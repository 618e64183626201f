import type { LostReason } from './lost-reason.ts';

export type { LostReason };

/** A call that the platform makes at a party; `url` was put together from the party's own. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** What came back. A body over its limit is cut, which `isCut` says; the status is still good. */
export type OutboundReply =
  | {
    readonly kind: 'answer';
    readonly status: number;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly body: Buffer;
    readonly isCut: boolean;
  }
  | { readonly kind: 'lost'; readonly reason: LostReason };

/**
 * Makes one call, once, and follows no redirect. Never rejects: a lost answer is a value. The whole
 * exchange ends within the adapter's time limit.
 */
export type Outbound = (request: OutboundRequest) => Promise<OutboundReply>;
