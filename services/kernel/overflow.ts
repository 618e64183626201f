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
