import type { Digest } from '../../kernel/digest.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import { newestReason } from '../../operator/dead-letters/dead-letter.ts';
import { readDeadLetters } from '../dead-letters/read-dead-letters.ts';

/** A dead letter of a key, without its value. */
export interface DeadLetterOfKey {
  readonly id: string;
  readonly topic: string;
  readonly state: 'open' | 'replayed' | 'discarded';
  readonly code: string;
}

/** The dead letters of one key, oldest first. */
export async function deadLettersOfKey(
  reader: LogReader, digest: Digest, key: string,
): Promise<readonly DeadLetterOfKey[]> {
  const { deadLetters } = await readDeadLetters(reader, digest);
  const own = [...deadLetters.values()].filter((deadLetter) => deadLetter.key === key);
  return own.map((deadLetter) => {
    const { id, topic, state } = deadLetter;
    return { id, topic, state, code: newestReason(deadLetter).code };
  });
}

/** The problem with dead letters: those that are still open. */
export function problemsOfDeadLetters(deadLetters: readonly DeadLetterOfKey[]): readonly string[] {
  const open = deadLetters.filter(({ state }) => state === 'open').length;
  return open === 0 ? [] : [`${open} dead letters are open: see rastro dlq show ID.`];
}
