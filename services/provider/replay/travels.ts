import type { Long } from '../../kernel/longs.ts';
import type { LocationFix } from '../../../schemas/generated/types.ts';

/** Where transports have been, as far as it is remembered. */
export interface Travels {
  /** Notes a lap of a transport, with the times that were sent. */
  readonly remember: (transport_id: Long, fixes: readonly LocationFix[]) => void;
  /** The fixes of the newest lap within the window, in epoch seconds, both ends included. */
  readonly between: (
    transport_id: Long, fromSeconds: number, untilSeconds: number,
  ) => readonly LocationFix[];
}

/** What is remembered. */
export interface TravelsConfig {
  readonly lapsMaxPerTransport: number;
  readonly transportsMax: number;
}

/** Remembers the last laps of the transports that were seen last. */
export function createTravels(config: TravelsConfig): Travels {
  const laps = new Map<Long, (readonly LocationFix[])[]>();
  return {
    remember(transport_id, fixes) {
      const own = laps.get(transport_id) ?? [];
      laps.delete(transport_id);
      laps.set(transport_id, [fixes, ...own].slice(0, config.lapsMaxPerTransport));
      const oldest = laps.keys().next();
      if (laps.size > config.transportsMax && oldest.done !== true) laps.delete(oldest.value);
    },
    between(transport_id, fromSeconds, untilSeconds) {
      for (const fixes of laps.get(transport_id) ?? []) {
        const inside = fixes.filter(({ timestamp }) =>
          timestamp >= fromSeconds && timestamp <= untilSeconds);
        if (inside.length > 0) return inside;
      }
      return [];
    },
  };
}
