import { formatRecordId } from '../../kernel/record-id.ts';
import type { DeadLetterLog, DeadLetterSummary } from '../../operator/dead-letters/dead-letter.ts';
import { PARKING } from '../../operator/dead-letters/plan-replay.ts';
import type { DeadLetterPorts } from './ports.ts';

/** The state of replayed records of parked keys after the wait. */
export interface ResumeResult {
  /** Records that failed again. */
  readonly failed: readonly DeadLetterSummary[];
  /** Records that came meanwhile and were parked behind the replayed ones. */
  readonly parkedSince: readonly DeadLetterSummary[];
  /** Records about which the worker wrote nothing in time. */
  readonly silent: number;
  readonly log: DeadLetterLog;
}

const POLL_MS = 300;

/**
 * Waits until the worker has written about every replayed record of a parked key: that it was
 * applied in its order, or that it is a dead letter again. `before` is the log before the replay.
 */
export async function waitForResumed(
  ports: DeadLetterPorts, before: DeadLetterLog, replayed: readonly DeadLetterSummary[],
  waitMs: number,
): Promise<ResumeResult> {
  const awaited = replayed.filter(isParking);
  const keys = new Set(awaited.map(({ key }) => key));
  const untilMs = ports.clock.nowMs() + waitMs;
  for (;;) {
    const log = await ports.open.read();
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

/** True for a dead letter of the worker that parks keys. */
export function isParking({ topic, reasons }: DeadLetterSummary): boolean {
  return topic === PARKING.topic && reasons.some(({ worker }) => worker === PARKING.worker);
}
