import type { Signals } from '../../kernel/signals.ts';
import type { DeadLetters } from '../common/dead-letters.ts';

/**
 * For a writer of a further replica: what is refused gets its dead letter from the writer of the
 * first one, and a second one would be replayed a second time.
 */
export const noDeadLetters: DeadLetters = { write: async () => undefined };

/**
 * The signals of a writer of a further replica. How soon rows are in the tables is an objective of
 * the first one; this one may be late, which its lag says.
 */
export function withoutFreshness<Reported extends Signals>(signals: Reported): Reported {
  return { ...signals, freshnessMeasured: () => undefined, recordsStored: () => undefined };
}
