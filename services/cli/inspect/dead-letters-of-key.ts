import type { Digest } from '../../kernel/digest.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import { newestReason } from '../dead-letters/dead-letter.ts';
import { readLetters } from '../dead-letters/read-dead-letters.ts';

/** A dead letter of a key, without its value. */
export interface KeyLetter {
  readonly id: string;
  readonly topic: string;
  readonly state: 'open' | 'redriven' | 'given_up';
  readonly code: string;
}

/** The dead letters of one key, oldest first. */
export async function lettersOfKey(
  reader: LogReader, digest: Digest, key: string,
): Promise<readonly KeyLetter[]> {
  const { letters } = await readLetters(reader, digest);
  return [...letters.values()].filter((letter) => letter.key === key).map((letter) => ({
    id: letter.id, topic: letter.topic, state: letter.state, code: newestReason(letter).code,
  }));
}

/** What is wrong about letters: those that nobody has seen to. */
export function problemsOfLetters(letters: readonly KeyLetter[]): readonly string[] {
  const open = letters.filter(({ state }) => state === 'open').length;
  return open === 0 ? [] : [`${open} dead letters are open: see rastro dlq show ID.`];
}
