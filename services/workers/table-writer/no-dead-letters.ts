import type { DeadLetters } from '../common/dead-letters.ts';

/**
 * For a writer of a further replica: what is refused gets its dead letter from the writer of the
 * first one, and a second one would be replayed a second time.
 */
export const noDeadLetters: DeadLetters = { write: async () => undefined };
