import { FRESH_SECONDS, type StoreName } from '../../kernel/objectives.ts';
import { REPLAYED_FROM } from '../../kernel/record-id.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { ConsumedRecord } from './outcomes.ts';
import { receivedAtMs } from './received-at.ts';

/**
 * Reports how long the records of a batch took from their receipt into a store: by topic the
 * longest, and how many came in time. What was put back after repair is left out, since its age is
 * the time that a person took.
 */
export function reportFreshness(
  signals: Signals, store: StoreName, stored: readonly ConsumedRecord[], nowMs: number,
): void {
  const fresh = FRESH_SECONDS[store] * 1_000;
  const seen = new Map<string, { oldestMs: number; fresh: number; late: number }>();
  for (const record of stored) {
    if (record.headers[REPLAYED_FROM] !== undefined) continue;
    const ageMs = Math.max(0, nowMs - receivedAtMs(record));
    const own = seen.get(record.topic) ?? { oldestMs: 0, fresh: 0, late: 0 };
    seen.set(record.topic, own);
    own.oldestMs = Math.max(own.oldestMs, ageMs);
    if (ageMs <= fresh) own.fresh += 1;
    else own.late += 1;
  }
  for (const [topic, own] of seen) {
    signals.freshnessMeasured({ store, topic, seconds: own.oldestMs / 1_000 });
    count('fresh', own.fresh, topic);
    count('late', own.late, topic);
  }

  function count(timeliness: 'fresh' | 'late', records: number, topic: string): void {
    if (records === 0) return;
    signals.recordsStored({ store, topic, timeliness, records });
  }
}
