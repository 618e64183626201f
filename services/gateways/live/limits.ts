/** Limits and waits of the live feeds. */
export interface LiveLimits {
  /** From one update to the next: what comes meanwhile is in the next one. */
  readonly tickMs: number;
  /** A line on which nothing happens says so this often. */
  readonly heartbeatMs: number;
  /** Nothing more is written to a line on which so many bytes wait. */
  readonly lineBytesMax: number;
  /** Bytes of one event; a larger update is several. */
  readonly pieceBytesMax: number;
  /** A line on which nothing moves for so long is cut. */
  readonly stallMsMax: number;
  readonly viewersMax: number;
  readonly clientViewersMax: number;
  /** Facts of the newest updates that are kept for viewers that resume, or read slowly. */
  readonly factsKeptMax: number;
  /** Older ones are read from the log, for so many viewers at a time. */
  readonly catchUpsMax: number;
  /** A viewer that is further behind begins again. */
  readonly resumeRecordsMax: number;
  /** How long a viewer that is ahead of this copy is waited for. */
  readonly aheadMsMax: number;
  /** Updates of positions from which a viewer can go on. */
  readonly updatesKeptMax: number;
  /** How long a device that was stopped is shown to who wants states. */
  readonly stoppedShownMs: number;
  /** Records of the lifecycle that are read at a beginning to find them: of more the newest. */
  readonly stopsReadMax: number;
  /** So long after the last viewer has left, nothing is read until one comes again. */
  readonly restAfterMs: number;
  /** How long a caller that ends a rest waits for the map. */
  readonly wakeMsMax: number;
}

/**
 * The limits of every deployment; docs/adr/0083-live-feeds-follow-the-log.md says why, and of the
 * rest docs/adr/0104-live-gateways-rest-without-viewers.md.
 */
export const LIVE_LIMITS: LiveLimits = {
  tickMs: 250,
  heartbeatMs: 15_000,
  lineBytesMax: 524_288,
  pieceBytesMax: 262_144,
  stallMsMax: 60_000,
  viewersMax: 2_000,
  clientViewersMax: 200,
  factsKeptMax: 20_000,
  catchUpsMax: 4,
  resumeRecordsMax: 1_000_000,
  aheadMsMax: 10_000,
  updatesKeptMax: 960,
  stoppedShownMs: 86_400_000,
  stopsReadMax: 200_000,
  restAfterMs: 60_000,
  wakeMsMax: 10_000,
};
