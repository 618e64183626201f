import type { DeviceId } from './ids.ts';

/** A stored fix that cannot be true as it is, by name; `v_odd_fixes` defines the names. */
export interface OddFix {
  readonly kind: string;
  /** Its own time, milliseconds since epoch. */
  readonly at_ms: number;
  readonly received_at_ms: number;
  readonly provider: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Partition and offset of its post in the topic of locations. */
  readonly partition: number;
  readonly offset: number;
}

/** Finds the odd fixes of devices. Rejects with `Unavailable` `sink_unavailable`. */
export interface OddFixes {
  /**
   * Those of a device in [sinceMs, untilMs), the last received first and at most so many. The time
   * is their own; of `gps_week_rollover` it is that of the receipt.
   */
  newest(
    deviceId: DeviceId, sinceMs: number, untilMs: number, most: number,
  ): Promise<readonly OddFix[]>;
}
