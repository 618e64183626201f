import type { Clock, Pause } from '../../kernel/clock.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { LogRangeReader, LogWatch } from '../../kernel/log-watch.ts';
import type { LogReader, RecordLog } from '../../kernel/record-log.ts';
import type { OpenDeadLetterLog } from './open-log.ts';

/** What the commands about dead letters need. */
export interface DeadLetterPorts {
  readonly log: RecordLog;
  readonly reader: LogReader;
  readonly watch: Pick<LogWatch, 'ranges'>;
  readonly rangeReader: Pick<LogRangeReader, 'readRanges'>;
  readonly topicIds: (topics: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly open: OpenDeadLetterLog;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly digest: Digest;
  /** Version of this code, which every repair carries. */
  readonly codeVersion: string;
}
