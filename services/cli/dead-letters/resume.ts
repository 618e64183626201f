import { formatRecordId } from '../../kernel/record-id.ts';
import type { Letter } from './dead-letter.ts';
import { PARKING } from './plan-replay.ts';
import type { LetterPorts } from './ports.ts';
import { readLetters, type LetterLog } from './read-dead-letters.ts';

/** What became of the records of parked keys that were put back. */
export interface FollowUp {
  /** Letters of records that could not be applied again. */
  readonly failed: readonly Letter[];
  /** Letters of records that came meanwhile and were parked behind those put back. */
  readonly parkedSince: readonly Letter[];
  /** Records of which nothing was heard in time. */
  readonly silent: number;
  readonly log: LetterLog;
}

const POLL_MS = 300;

/**
 * Waits until the worker has told of every record of a parked key that was put back: applied in its
 * turn, or given up anew. `before` is what the log said before they were put back.
 */
export async function followUp(
  ports: LetterPorts, before: LetterLog, redriven: readonly Letter[], waitMs: number,
): Promise<FollowUp> {
  const awaited = redriven.filter(isParking);
  const keys = new Set(awaited.map(({ key }) => key));
  const untilMs = ports.clock.nowMs() + waitMs;
  for (;;) {
    const log = await readLetters(ports.reader, ports.digest);
    const fresh = [...log.letters.values()].filter((letter) => letter.state === 'open'
      && isParking(letter) && keys.has(letter.key) && !before.letters.has(letter.id));
    const again = new Set(fresh.map(({ first }) => formatRecordId(first)));
    const silent = awaited.filter(({ first }) => {
      const name = formatRecordId(first);
      return !again.has(name)
        && (log.followed.get(name) ?? 0) <= (before.followed.get(name) ?? 0);
    });
    if (silent.length === 0 || ports.clock.nowMs() >= untilMs) {
      const own = new Set(awaited.map(({ first }) => formatRecordId(first)));
      return {
        failed: fresh.filter(({ first }) => own.has(formatRecordId(first))),
        parkedSince: fresh.filter(({ first }) => !own.has(formatRecordId(first))),
        silent: silent.length,
        log,
      };
    }
    await ports.pause(POLL_MS);
  }
}

/** True for a letter of the worker that parks keys. */
export function isParking({ topic, reasons }: Letter): boolean {
  return topic === PARKING.topic && reasons.some(({ worker }) => worker === PARKING.worker);
}
