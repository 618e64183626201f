/**
 * How a post ended. `unsent`: it never left, or was only throttled, until it was given up;
 * `unknown`: it may or may not have been taken.
 */
export type PostOutcome = 'accepted' | 'refused' | 'unknown' | 'unsent';

/** One item: time, place, and the identity that also its row in the store has. */
export type LedgerItem = readonly [
  timestamp: number, latitude: number, longitude: number, identity: string,
];

/** Written before the first try of a post. */
export interface PostLine {
  readonly line: 'post';
  /** Run and number; unique over runs that share a file. */
  readonly post: string;
  readonly device_id: string;
  readonly at_ms: number;
  readonly items: readonly LedgerItem[];
}

/** What a ledger has besides locations of devices. */
export const OTHER_KINDS = [
  'events', 'deferred events', 'deliveries', 'authorizations', 'notifications', 'commands',
] as const;

/** A kind of items other than locations. */
export type OtherKind = (typeof OTHER_KINDS)[number];

/** As {@link PostLine}, for items of another kind: their identities, which are plain texts. */
export interface ItemsLine {
  readonly line: 'items';
  readonly kind: OtherKind;
  readonly post: string;
  readonly at_ms: number;
  readonly items: readonly string[];
}

/** Written when a post has its end; a post without it is `unknown`. */
export interface EndLine {
  readonly line: 'end';
  readonly post: string;
  readonly at_ms: number;
  readonly outcome: PostOutcome;
  readonly tries: number;
  readonly status?: number;
  /** A refusal after a lost answer or a 500: an earlier try may have been taken. */
  readonly may_have_been_taken?: true;
  /** The platform's reason, for refused posts. */
  readonly answer?: string;
  /** Identities that only the answer gave, in place of those of the {@link ItemsLine}. */
  readonly items?: readonly string[];
}

/** One line of the ledger file. */
export type LedgerLine = PostLine | ItemsLine | EndLine;
