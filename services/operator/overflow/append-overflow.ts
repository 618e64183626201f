import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { overflowKeyOf, type OverflowRecorded } from '../../kernel/overflow.ts';
import type { RecordLog } from '../../kernel/record-log.ts';

/** Appends a decision, which the table writers follow within seconds (ADR 0018, ADR 0062). */
export async function appendOverflow(
  log: RecordLog, fact: OverflowRecorded, deadlineMs: number,
): Promise<void> {
  await log.append({
    topic: TOPICS.overflow.name, key: overflowKeyOf(fact), value: Buffer.from(JSON.stringify(fact)),
    headers: { 'received-at': String(fact.at_ms) },
  }, deadlineMs);
}
