import type { TrackErased } from './erased-tracks.ts';
import type { RecordId } from './record-id.ts';
import type { ClientId, DeviceId } from './ids.ts';

/** A last position as the projector offers it: the newest fix of one device in one batch. */
export interface FixOffer {
  readonly client_id: ClientId;
  readonly device_id: DeviceId;
  readonly timestamp: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly country_id: string;
  readonly speed?: number;
  readonly bearing?: number;
  readonly ignition?: boolean;
  readonly received_at_ms: number;
  readonly provider: string;
  readonly recordId: RecordId;
}

/** The last known place of a device. `timestamp` is the fix's own time in epoch seconds. */
export type LastFix = Omit<FixOffer, 'recordId'>;

/** A box of degrees, its edges included; `min_longitude` above `max_longitude` spans 180°. */
export interface GeoBox {
  readonly min_longitude: number;
  readonly min_latitude: number;
  readonly max_longitude: number;
  readonly max_latitude: number;
}

/** The box that holds every fix. */
export const EARTH_BOX: GeoBox = {
  min_longitude: -180, min_latitude: -90, max_longitude: 180, max_latitude: 90,
};

/** Where a page of the fleet ended: the last device looked at, and its place in the index. */
export interface FleetCursor {
  readonly score: number;
  readonly device_id: DeviceId;
}

/**
 * One page of a fleet; `next` is absent on the last one. A page may hold fewer positions than asked
 * for, even none, and yet not be the last.
 */
export interface FleetPage {
  readonly fixes: readonly LastFix[];
  readonly next: FleetCursor | undefined;
}

/**
 * Last positions in the state store. A late fix never moves one back. After a rebuild they follow
 * in the background: until they are complete, a missing one is `Unavailable` with
 * `state_not_ready`.
 */
export interface LastFixes {
  offer(offers: readonly FixOffer[]): Promise<void>;
  /**
   * Forgets positions received up to a time, and takes none of them again. Any order of offers and
   * erasures ends in the same state.
   */
  erase(tracks: readonly TrackErased[]): Promise<void>;
  find(clientId: ClientId, deviceId: DeviceId): Promise<LastFix | undefined>;
  /**
   * Last positions within a box of the client's devices that are not stopped, in the order of the
   * index. A device that moves between two pages may be on both, or on none.
   */
  findWithin(
    clientId: ClientId, box: GeoBox, after: FleetCursor | undefined, limit: number,
  ): Promise<FleetPage>;
  isComplete(): Promise<boolean>;
  /**
   * Says that every position in the log has been offered, if `owner` still has the right to
   * rebuild, and gives the right back.
   */
  markComplete(owner: string): Promise<boolean>;
}
