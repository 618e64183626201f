import type { Signals } from '../../../kernel/signals.ts';
import type { LogAdmin } from '../admin.ts';

/** What a consumer needs beside its options. */
export interface ConsumerPorts {
  readonly admin: LogAdmin;
  readonly signals: Signals;
  readonly random: () => number;
  /** Called once when the consumer cannot go on; it has left its group by then. */
  readonly onCrash: (error: unknown) => void;
}
