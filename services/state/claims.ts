import type { EntryChange, StateEntry, StateKey } from '../kernel/state-store.ts';

/** Settings of claims. */
export interface ClaimConfig {
  /** Life of a claim; longer than any request may take, so that a live caller never loses it. */
  readonly claimLeaseMs: number;
}

/**
 * The lease beside a claim. When the log has the fact first, the entry loses its claim but not
 * this lease. A wipe deletes it. So `confirm` can answer whether the claim was held all the time.
 */
export function claimKey(shard: number, claimId: string): StateKey {
  return { shard, kind: 'lease', id: `claim:${claimId}` };
}

/** Begins or renews the lease of a claim. */
export function heldUntil(key: StateKey, { version }: StateEntry, untilMs: number): EntryChange {
  return { key, version, set: { until_ms: String(untilMs) }, expireAtMs: untilMs };
}

/** Ends the lease of a claim; nothing when it is not held any more. */
export function endOf(key: StateKey, { version }: StateEntry): readonly EntryChange[] {
  return version === 0 ? [] : [{ key, version, remove: true }];
}
