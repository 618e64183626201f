import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { FloodLimits } from '../../../domain/overflow/flood.ts';
import { groupOf } from '../../workers.ts';

/** Limits of the diversion, and its topics. */
export interface DiversionConfig {
  /** The topic whose hot keys are diverted. */
  readonly origin: string;
  /** Where their records go. */
  readonly overflow: string;
  /** The group that applies the overflow topic; its commits show the progress. */
  readonly overflowGroup: string;
  /** How long a decision may be unknown while records come in. */
  readonly pollMs: number;
  /** How long a partition may wait for the overflow topic before a key leaves it. */
  readonly leaveMsMax: number;
  /** How long no partition waits again after that was not enough. */
  readonly leaveAgainMs: number;
  /** Records and bytes in flight to the overflow topic at once. */
  readonly burstRecordsMax: number;
  readonly burstBytesMax: number;
  readonly appendMsMax: number;
}

/** Defaults of the overflow topic of locations. */
export const DIVERSION_LIMITS: DiversionConfig = {
  origin: TOPICS.locations.name,
  overflow: TOPICS.overflowLocations.name,
  overflowGroup: groupOf('table-writer.overflow'),
  pollMs: 5_000,
  leaveMsMax: 3_000,
  leaveAgainMs: 30_000,
  burstRecordsMax: 1_000,
  burstBytesMax: 8_388_608,
  appendMsMax: 15_000,
};

/** When a writer of fixes decides that a provider floods. */
export interface FloodConfig extends FloodLimits {
  /** The topic whose records are counted, and that of the decisions. */
  readonly origin: string;
  readonly decisions: string;
  /** Time over which fixes are counted; a batch that takes longer is one window. */
  readonly windowMs: number;
  /** A provider that sent nothing for so long is none that waits. */
  readonly othersMs: number;
  readonly appendMsMax: number;
}

/** When a provider floods: it has half of the fixes while records wait for half a minute. */
export const FLOOD_LIMITS: FloodConfig = {
  origin: TOPICS.locations.name,
  decisions: TOPICS.overflow.name,
  windowMs: 15_000,
  othersMs: 600_000,
  lateMsMin: 30_000,
  ratioMin: 0.5,
  fixesMin: 1_000,
  holdMs: 600_000,
  renewMs: 300_000,
  lastingRatio: 0.9,
  appendMsMax: 5_000,
};
