import type { Pause } from '../../kernel/clock.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { FoldSource } from '../../kernel/fold.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import type { OpenDeadLetterLog } from '../../operator/dead-letters/open-log.ts';
import type { PutBackPorts } from '../../operator/dead-letters/replay.ts';

/** What the commands about dead letters need. */
export interface DeadLetterPorts extends PutBackPorts, FoldSource {
  readonly reader: LogReader;
  readonly open: OpenDeadLetterLog;
  readonly pause: Pause;
  readonly digest: Digest;
}
