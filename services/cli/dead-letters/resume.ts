import { formatRecordId } from '../../kernel/record-id.ts';
import type { DeadLetterSummary } from './dead-letter.ts';
import { PARKING } from './plan-replay.ts';
import type { DeadLetterPorts } from './ports.ts';
import { readDeadLetters, type DeadLetterLog } from './read-dead-letters.ts';

/** What became of the records of parked keys that were put back. */
export interface ResumeResult {
  /** Letters of records that could not be applied again. */
  readonly failed: readonly DeadLetterSummary[];
  /** Letters of records that came meanwhile and were parked behind those put back. */
  readonly parkedSince: readonly DeadLetterSummary[];
  /** Records of which nothing was heard in time. */
  readonly silent: number;
  readonly log: DeadLetterLog;
}

const POLL_MS = 300;

/**
 * Waits until the worker has told of every record of a parked key that was put back: applied in its
 * turn, or given up anew. `before` is what the log said before they were put back.
 */
export async function waitForResumed(
  ports: DeadLetterPorts, before: DeadLetterLog, replayed: readonly DeadLetterSummary[],
  waitMs: number,
): Promise<ResumeResult> {
  const awaited = replayed.filter(isParking);
  const keys = new Set(awaited.map(({ key }) => key));
  const untilMs = ports.clock.nowMs() + waitMs;
  for (;;) {
    const log = await readDeadLetters(ports.reader, ports.digest);
    const fresh = [...log.deadLetters.values()].filter((deadLetter) => (
      deadLetter.state === 'open' && isParking(deadLetter) && keys.has(deadLetter.key)
        && !before.deadLetters.has(deadLetter.id)
    ));
    const again = new Set(fresh.map(({ first }) => formatRecordId(first)));
    const silent = awaited.filter(({ first }) => {
      const name = formatRecordId(first);
      return !again.has(name)
        && (log.resumed.get(name) ?? 0) <= (before.resumed.get(name) ?? 0);
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
export function isParking({ topic, reasons }: DeadLetterSummary): boolean {
  return topic === PARKING.topic && reasons.some(({ worker }) => worker === PARKING.worker);
}
