import type { OverflowRecorded } from '../../schemas/generated/types.ts';

/** A decision about a device or a provider that delays others: `rtt.overflow.v1`. */
export type { OverflowRecorded };

/** Who decides about providers: an operator, or the table writers. */
export type OverflowDecider = NonNullable<OverflowRecorded['by']>;

/** The newest decision of each kind about one provider. */
export type ProviderDecisions = Readonly<Partial<Record<OverflowDecider, OverflowRecorded>>>;

/** The newest decisions about each device and each provider; see `readOverflow`. */
export interface Overflow {
  readonly devices: ReadonlyMap<string, OverflowRecorded>;
  readonly providers: ReadonlyMap<string, ProviderDecisions>;
}

/**
 * The key of a decision in the log. Those of operators and of writers about one provider have
 * different ones, so that compaction never drops the one for the other.
 */
export function overflowKeyOf({ device_id, provider, by }: OverflowRecorded): string {
  if (provider === undefined) return device_id ?? '';
  return by === 'writer' ? `flood:${provider}` : `provider:${provider}`;
}

/**
 * The decisions about a provider with one more. Of two with one version the later one counts, as in
 * the compacted topic.
 */
export function withDecision(
  known: ProviderDecisions, fact: OverflowRecorded,
): ProviderDecisions {
  const { by = 'operator' } = fact;
  return fact.version < (known[by]?.version ?? 0) ? known : { ...known, [by]: fact };
}

/** Decisions about providers in the state store, for who asks what is known of a sender. */
export interface OverflowStates {
  /** Rejects with `state_unavailable` or `state_not_ready`. */
  decisionsOf(
    providers: readonly string[],
  ): Promise<readonly { readonly provider: string; readonly decisions: ProviderDecisions }[]>;
  /** Idempotent, and by version: facts come in any order to the same end. */
  apply(fact: OverflowRecorded): Promise<void>;
}
