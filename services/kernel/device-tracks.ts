import type { ClientId, DeviceId } from './ids.ts';

/** Which way is wanted. */
export interface TrackQuestion {
  readonly deviceId: DeviceId;
  /** Only what this client sent; without it what any did. */
  readonly clientId: ClientId | undefined;
  /** The time by the clock of the device, [since, until), whole epoch seconds. */
  readonly sinceSeconds: number;
  readonly untilSeconds: number;
  /** So many fixes and so many readings are wanted at most, see {@link Thinned}. */
  readonly limit: number;
}

/** A fix on a way; what the device did not report is undefined. */
export interface TrackFix {
  /** Its own time, epoch seconds. */
  readonly timestamp: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly country_id: string;
  readonly provider: string;
  readonly received_at_ms: number;
  /** What is odd about it alone or within its post, as stored. */
  readonly flags: readonly string[];
  /** Kilometers per hour. */
  readonly speed: number | undefined;
  /** Degrees. */
  readonly bearing: number | undefined;
  /** Meters. */
  readonly accuracy: number | undefined;
  readonly ignition: boolean | undefined;
  /** Kilometers. */
  readonly odometer: number | undefined;
  /** Seconds since the fix before, where they are more than {@link GAP_SECONDS}. */
  readonly gap_seconds: number | undefined;
}

/** What a device measured at a time, by the names of the interface; what it did not is absent. */
export interface TrackReading extends Readonly<Partial<Record<ReadingName, number>>> {
  /** Its own time, milliseconds since epoch. */
  readonly at_ms: number;
}

/** What readings have beside their time. */
export const READING_NAMES = [
  'fuel_level', 'fuel_quantity', 'engine_rpm', 'engine_temperature', 'air_temperature',
  'battery_level', 'battery_temperature',
] as const;

/** One of them. */
export type ReadingName = (typeof READING_NAMES)[number];

/** A fix that cannot be true as it is, by the name that `v_odd_fixes` gives it. */
export interface TrackOddFix {
  readonly kind: string;
  /** Its own time, epoch seconds; of `gps_week_rollover` it is years away. */
  readonly timestamp: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Own time minus receipt, seconds. */
  readonly off_seconds: number;
  readonly received_at_ms: number;
  readonly provider: string;
}

/** One call about a device, with the outcomes of its items; received at `received_at_ms`. */
export interface TrackPost {
  readonly ingest_id: string;
  readonly kind: 'locations' | 'telemetry_events';
  readonly provider: string;
  readonly received_at_ms: number;
  readonly items: number;
  readonly stored: number;
  readonly duplicate: number;
  readonly outlier: number;
  readonly dead_lettered: number;
  readonly waiting: number;
  /** Why it is a dead letter; empty for others. */
  readonly code: string;
}

/**
 * Items in the order of time, of which each n-th is kept where there are more than were asked for,
 * counted back from the last one. Of fixes both ends of a gap are kept besides.
 */
export interface Thinned<Item> {
  readonly items: readonly Item[];
  /** How many there are without thinning. */
  readonly total: number;
  /** 1 where all are here. */
  readonly every: number;
}

/** The way of a device. */
export interface DeviceTrack {
  readonly fixes: Thinned<TrackFix>;
  readonly readings: Thinned<TrackReading>;
  /**
   * Calls that were received in the time, in that order. Thinned are only those of which each item
   * was stored, and the newest {@link POSTS_MAX} of what is left are here. Undefined where the
   * store did not find them in {@link POSTS_SECONDS_MAX}, as in a fleet that is too large for it.
   */
  readonly posts: Thinned<TrackPost> | undefined;
  /** The newest {@link ODD_FIXES_MAX} of the time, in its order. */
  readonly oddFixes: readonly TrackOddFix[];
  /** How many odd fixes there are. */
  readonly oddTotal: number;
}

/**
 * Ways of devices, by their clocks and with what came late. Calls reject with `Unavailable`
 * `sink_unavailable` while the store does not answer.
 */
export interface DeviceTracks {
  find(question: TrackQuestion): Promise<DeviceTrack>;
}

/** A longer silence is a gap, as in days of devices. */
export const GAP_SECONDS = 900;
/** Calls of one answer at most, and how long they are looked for. */
export const POSTS_MAX = 5_000;
export const POSTS_SECONDS_MAX = 4;
/** Odd fixes of one answer at most. */
export const ODD_FIXES_MAX = 500;
