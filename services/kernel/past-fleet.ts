import type { GeoBox } from './fixes.ts';
import type { ClientId, DeviceId } from './ids.ts';

/** Where a device was at a minute of the past: its last fix until the end of that minute. */
export interface PastFix {
  readonly device_id: DeviceId;
  readonly client_id: ClientId;
  /** Time of the fix, epoch seconds. */
  readonly timestamp: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly country_id: string;
  readonly provider: string;
}

/** Which devices are wanted, and when. */
export interface PastFleetQuestion {
  /** Any time of the minute. */
  readonly atMs: number;
  /** Only devices of this client; without it those of all. */
  readonly clientId: ClientId | undefined;
  readonly box: GeoBox | undefined;
  /** Only fixes that came by this provider. */
  readonly provider: string | undefined;
  /** The last device of the page before. */
  readonly after: DeviceId | undefined;
  readonly limit: number;
}

/** One page, in the order of the ids of devices; `next` is absent on the last one. */
export interface PastFleetPage {
  readonly fixes: readonly PastFix[];
  readonly next: DeviceId | undefined;
}

/**
 * Fleets of the past, by the clocks of devices and with what came late. Calls reject with
 * `Unavailable` `sink_unavailable` while the store does not answer.
 */
export interface PastFleet {
  find(question: PastFleetQuestion): Promise<PastFleetPage>;
}

/** Days for which a fleet can be asked for: as long as fixes are kept. */
export const PAST_DAYS_MAX = 400;
