import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import { groupOf } from '../../workers.ts';

/** Limits of the diversion, and the names of its ways. */
export interface DiversionConfig {
  /** The topic whose hot keys are diverted. */
  readonly origin: string;
  /** Where their records go. */
  readonly overflow: string;
  /** Who applies what lies in the lane; its commits say how far. */
  readonly overflowGroup: string;
  /** How long a decision may be unknown while records come in. */
  readonly pollMs: number;
  /** How long the records of a partition may wait for a lane that a key is to leave. */
  readonly leaveMsMax: number;
  /** How long nobody waits again after that was not enough. */
  readonly leaveAgainMs: number;
  /** Records and bytes that are on their way into the lane at once. */
  readonly burstRecordsMax: number;
  readonly burstBytesMax: number;
  readonly appendMsMax: number;
}

/** Defaults of the lane of locations. */
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
