/** Every kind of entry and of sorted set. Failpoints of a commit are named by it. */
export const STATE_KINDS = [
  'client', 'token', 'device', 'entity', 'fleet', 'lease',
  'authorization', 'authorization-call', 'authorization-calls', 'authorization-calls-due',
  'shipment', 'cancellation', 'feed', 'feeds-due',
  'command', 'command-key', 'monitoring', 'telemetry-request',
  'commands', 'transport-commands',
  'party', 'provider-party', 'carriers', 'number-ranges', 'personal',
  'webhook', 'webhooks', 'webhook-outbox', 'webhook-outboxes-due',
  'erased-drivers', 'overflow',
  'device-owner', 'transport-devices', 'fleet-clients', 'entity-types',
  'shipment-orders', 'shipment-numbers', 'finished-shipments', 'shipment-forms',
  'sandbox', 'examination', 'examinations-due',
] as const;

/** One kind of entry or sorted set. */
export type StateKind = (typeof STATE_KINDS)[number];

/** Where an entry is: its shard, what kind of thing it is, and its id among its kind. */
export interface StateKey {
  readonly shard: number;
  readonly kind: StateKind;
  /** Empty where a shard has only one of its kind. */
  readonly id: string;
}

/** Which entry is asked for; with `only` no other field of it is read, as of one that has many. */
export interface EntryQuestion extends StateKey {
  readonly only?: readonly string[];
}

/** The fields of an entry, all as text. */
export type StateFields = ReadonlyMap<string, string>;

/** An entry as it was read. An absent one has version 0 and no fields. */
export interface StateEntry {
  /** Another after every change, and never used twice for one key, also not after a deletion. */
  readonly version: number;
  readonly fields: StateFields;
  /** Its shard was rebuilt so recently that facts of lost claims may still reach the log. */
  readonly inDoubt: boolean;
}

/** Entries in the order of the keys asked for, each shard read in one step. */
export interface StateRead {
  /** The clock of the store, which all leases and expiries are measured by. */
  readonly nowMs: number;
  readonly entries: readonly StateEntry[];
}

/** Change of one entry. With neither `set` nor `drop` only its version is checked. */
export interface EntryChange {
  readonly key: StateKey;
  /** The change happens only while the entry still has this version. */
  readonly version: number;
  readonly set?: Readonly<Record<string, string>>;
  readonly drop?: readonly string[];
  /** When it expires, by the clock of the store. Left out, the expiry stays. */
  readonly expireAtMs?: number;
  readonly remove?: true;
}

/** Changes of the members of one sorted set, which has no version. */
export interface MemberChange {
  readonly key: StateKey;
  /** Members with scores below this one go first. */
  readonly dropBelow?: number;
  readonly remove?: readonly string[];
  readonly add?: readonly StateMember[];
  /** Only those that are not members yet. */
  readonly addNew?: readonly StateMember[];
  /** A member keeps the least of its scores, so that any order of changes ends in the same. */
  readonly addLeast?: readonly StateMember[];
  /** When the set expires, by the clock of the store; the latest that was said counts. */
  readonly expireAtMs?: number;
  /** When it expires instead if it has no more than one member. */
  readonly expireAloneAtMs?: number;
}

/** A member of a sorted set. */
export interface StateMember {
  readonly member: string;
  readonly score: number;
}

/**
 * Which members of sorted sets are asked for: those with scores in bounds, behind one that was seen
 * before, so many at most.
 */
export interface MemberQuestion {
  /** Scores rising, or falling; members of one score in the order of their bytes, or against it. */
  readonly order: 'rising' | 'falling';
  readonly least?: number | undefined;
  readonly most?: number | undefined;
  readonly after?: StateMember | undefined;
  readonly max: number;
}

/** Changes that happen together or not at all. Its keys lie in one shard. */
export interface StateTransaction {
  readonly entries: readonly EntryChange[];
  readonly members?: readonly MemberChange[];
}

/** With `requireReady` a shard that is being rebuilt is `Unavailable` `state_not_ready`. */
export interface StateAccess {
  readonly requireReady: boolean;
}

/**
 * Entries with versions, changed by compare-and-set: it knows no rule about what they mean. Every
 * call rejects with `Unavailable` `state_unavailable` or `state_not_ready`; after the former a
 * commit may have happened.
 */
export interface StateStore {
  read(keys: readonly EntryQuestion[], access: StateAccess): Promise<StateRead>;
  /** Says for each transaction, in order, whether it was applied. */
  commit(
    transactions: readonly StateTransaction[], access: StateAccess,
  ): Promise<readonly boolean[]>;
  /**
   * Members of all these sorted sets as if they were one, in order. A set is read in one step, but
   * not all of them at one moment. Needs the ready marks.
   */
  readMembers(
    keys: readonly StateKey[], question: MemberQuestion,
  ): Promise<readonly StateMember[]>;
  /**
   * Takes up to `max` members with scores up to `untilScore` and gives them `nextScore` in the same
   * step, so that no other caller takes them meanwhile. Needs the ready mark.
   */
  takeDue(
    key: StateKey, untilScore: number, nextScore: number, max: number,
  ): Promise<readonly string[]>;
}
