import { TOPICS } from '../../../../schemas/generated/catalog.ts';
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
