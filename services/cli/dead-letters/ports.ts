import type { Clock, Pause } from '../../kernel/clock.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { LogReader, RecordLog } from '../../kernel/record-log.ts';

/** What the commands about dead letters need. */
export interface DeadLetterPorts {
  readonly log: RecordLog;
  readonly reader: LogReader;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly digest: Digest;
  /** Version of this code, which every repair carries. */
  readonly codeVersion: string;
}
