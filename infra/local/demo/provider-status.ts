/** What the provider says of itself. */
export interface ProviderStatus {
  readonly tracking: number;
  /** Locations accepted so far. */
  readonly accepted: number;
  /** Items of all kinds without an answer so far. */
  readonly in_hand: number;
  /** Deferred answers that are owed. */
  readonly deferred_open: number;
  readonly shipments_ended: number;
  readonly drained: boolean;
}

/** Asks the provider for its progress; undefined while it does not answer. */
export async function providerStatus(url: string): Promise<ProviderStatus | undefined> {
  try {
    const answer = await fetch(`${url}/status`, { signal: AbortSignal.timeout(2_000) });
    return await answer.json() as ProviderStatus;
  } catch {
    return undefined;
  }
}
