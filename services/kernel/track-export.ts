/** Fixes of devices in a window of their own time. */
export interface TrackWindow {
  readonly devices: readonly string[];
  /** Epoch seconds, included. */
  readonly fromS: number;
  /** Epoch seconds, not included any more. */
  readonly toS: number;
}

/** One fix of an exported track. */
export interface TrackFix {
  readonly device_id: string;
  /** UTC, `2026-11-21T10:00:00Z`. */
  readonly ts: string;
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Meters above sea level. */
  readonly altitude: number | null;
  /** Kilometers/hour. */
  readonly speed: number | null;
  /** Degrees. */
  readonly bearing: number | null;
  readonly ignition: boolean | null;
  /** Kilometers. */
  readonly odometer: number | null;
  readonly provider: string;
}

/** The history of locations as an analyst may read it, day by day, so that no answer is large. */
export interface TrackExport {
  /** How many fixes there are. */
  count(window: TrackWindow): Promise<number>;
  /** Fixes device by device in the order of their time, without those at 0,0. */
  fixes(window: TrackWindow): AsyncIterable<TrackFix>;
  /** Every column of every fix as one file of the format. */
  file(window: TrackWindow, format: 'csv' | 'parquet'): AsyncIterable<Uint8Array>;
}
