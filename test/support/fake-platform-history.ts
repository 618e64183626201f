import { Unavailable } from '../../services/kernel/unavailable.ts';
import type {
  DeferredAnswer, NotifiedPlace, PlatformHistory,
} from '../../services/kernel/platform-history.ts';

/** {@link PlatformHistory} in memory, for the tests of who uses it. */
export interface FakePlatformHistory extends PlatformHistory {
  readonly places: Map<string, NotifiedPlace>;
  /** By provider and id of the command, parted by a blank. */
  readonly answers: Map<string, DeferredAnswer>;
  /** Every call rejects from now on, as without a store. */
  lose(): void;
}

/** Nothing was notified or answered yet. */
export function fakePlatformHistory(): FakePlatformHistory {
  const places = new Map<string, NotifiedPlace>();
  const answers = new Map<string, DeferredAnswer>();
  let isLost = false;
  const guard = (): void => {
    if (isLost) throw new Unavailable('sink_unavailable', 'receive', 'as the test asked');
  };
  return {
    places, answers,
    lose() { isLost = true; },
    async lastPlace(trackingNumber) {
      guard();
      return places.get(trackingNumber);
    },
    async deferredAnswer(provider, requestId) {
      guard();
      return answers.get(`${provider} ${requestId}`);
    },
  };
}

/** A place without what is personal. */
export function aPlace(change: Partial<NotifiedPlace> = {}): NotifiedPlace {
  return {
    country_id: 'BR', city: 'Campinas', code: '0114', carrier_code: 'NEAR',
    occurred_at_ms: 1_764_000_000_000, received_at_ms: 1_764_000_005_123, ...change,
  };
}
