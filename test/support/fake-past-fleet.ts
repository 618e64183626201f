import type { PastFix, PastFleet } from '../../services/kernel/past-fleet.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';

/** {@link PastFleet} in memory, for the tests of who uses it. */
export interface FakePastFleet extends PastFleet {
  readonly fixes: PastFix[];
  /** Every call rejects from now on, as without a store. */
  lose(): void;
  /** Every call waits from now on until what is returned is called. */
  hold(): () => void;
  /** How many calls are in it. */
  reading(): number;
}

/** No device was anywhere yet. */
export function fakePastFleet(): FakePastFleet {
  const fixes: PastFix[] = [];
  let isLost = false;
  let held: Promise<undefined> | undefined;
  let reading = 0;
  return {
    fixes,
    lose() { isLost = true; },
    hold() {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      held = promise;
      return () => resolve(undefined);
    },
    reading: () => reading,
    async find({ atMs, clientId, box, provider, after = '', limit }) {
      reading += 1;
      await held;
      reading -= 1;
      if (isLost) throw new Unavailable('sink_unavailable', 'receive', 'as the test asked');
      const until = Math.floor(atMs / 60_000) * 60 + 60;
      const newest = new Map<string, PastFix>();
      for (const fix of fixes) {
        if (fix.timestamp >= until || fix.timestamp < until - 86_400) continue;
        const before = newest.get(fix.device_id)?.timestamp ?? 0;
        if (fix.timestamp > before) newest.set(fix.device_id, fix);
      }
      const found = [...newest.values()].filter((fix) => (
        fix.device_id > after && (clientId === undefined || fix.client_id === clientId)
        && (provider === undefined || fix.provider === provider)
        && (box === undefined || (
          fix.latitude >= box.min_latitude && fix.latitude <= box.max_latitude
          && fix.longitude >= box.min_longitude && fix.longitude <= box.max_longitude))
      )).toSorted((one, other) => (one.device_id < other.device_id ? -1 : 1));
      const page = found.slice(0, limit);
      return { fixes: page, next: found.length > limit ? page.at(-1)?.device_id : undefined };
    },
  };
}

/** A fix of a minute ago in the box of the examples. */
export function aPastFix(change: Partial<PastFix> = {}): PastFix {
  return {
    device_id: '6f1c2d3e-4b5a-5c6d-8e7f-9a0b1c2d3e4f', client_id: '100000000000042',
    timestamp: Math.floor(Date.now() / 1_000) - 60, latitude: -23.55052, longitude: -46.633308,
    country_id: 'BR', provider: 'acme', ...change,
  };
}
