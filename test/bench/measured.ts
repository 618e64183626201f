import type { MachineFacts } from './measure/machine.ts';
import type { AnalystRow } from './rows/analyst.ts';
import type { BackupRow } from './rows/backup.ts';
import type { CatchUpRow } from './rows/catch-up.ts';
import type { ChainRow } from './rows/chain.ts';
import type { DaysRow } from './rows/days.ts';
import type { DiskRow } from './rows/disk.ts';
import type { EdgeRow } from './rows/edge.ts';
import type { FreshnessRow } from './rows/freshness.ts';
import type { KnownDevicesRow } from './rows/known-devices.ts';
import type { LargeRow } from './rows/large.ts';
import type { LateInserts } from './rows/late.ts';
import type { OverloadRow } from './rows/overload.ts';
import type { RestartRow } from './rows/restart.ts';
import type { StrangerRow } from './rows/stranger.ts';
import type { SustainedRow } from './rows/sustained.ts';

/** Everything that one run has measured. */
export interface BenchReport {
  readonly command: string;
  readonly machine: MachineFacts;
  edge: readonly EdgeRow[];
  /** On the fewest lines, by which the other rows go. */
  chain?: ChainRow;
  /** The same on more lines. */
  chainOnMoreLines?: readonly ChainRow[];
  days?: DaysRow;
  freshness?: readonly FreshnessRow[];
  catchUp?: CatchUpRow;
  known?: readonly KnownDevicesRow[];
  disk?: DiskRow;
  late?: readonly LateInserts[];
  analysts?: readonly AnalystRow[];
  backup?: BackupRow;
  restarts?: readonly RestartRow[];
  strangers?: readonly StrangerRow[];
  large?: readonly LargeRow[];
  overload?: OverloadRow;
  sustained?: SustainedRow;
}
