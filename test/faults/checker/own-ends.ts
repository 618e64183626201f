import type { Evidence, OwnEnd } from './evidence.ts';
import { entryName, fieldOf, groupBy, recordsOf, textOf } from './read-evidence.ts';
import { TOPIC } from './topics.ts';

/** How an error names the record at which it was thrown; a list of records names none. */
const RECORD = /a defect at (\S+)/;

/** Ends of the run itself: runs share a cluster, and what ended before is not its matter. */
export function endsIn({ ends, run }: Evidence): readonly OwnEnd[] {
  return ends.filter(({ at_ms }) => at_ms >= run.epoch.at_ms);
}

/** Ends by the record at which they were, `TOPIC-ID:PARTITION:OFFSET`. */
export function endsByRecord(evidence: Evidence): ReadonlyMap<string, readonly OwnEnd[]> {
  const atRecords = endsIn(evidence).filter(({ reason }) => RECORD.test(reason));
  return groupBy(atRecords, ({ reason }) => RECORD.exec(reason)?.[1] ?? '');
}

/** Records that are a dead letter for a defect, each with the name of its place in the log. */
export function defectDeadLetters(evidence: Evidence): ReadonlyMap<string, string> {
  return new Map(recordsOf(evidence, TOPIC.deadLetters)
    .filter(({ value }) => textOf(value, 'code') === 'defect')
    .map(({ value }) => {
      const origin = fieldOf(value, 'origin');
      const [partition, offset] = [textOf(origin, 'partition'), textOf(origin, 'offset')];
      return [`${textOf(origin, 'topic_id')}:${partition}:${offset}`, entryName({
        topic: textOf(origin, 'topic'), partition: Number(partition), offset: Number(offset),
      })];
    }));
}

/**
 * Places in the log of the dead letters that a run with a seeded defect owes: processes ended at
 * the record as often as the run allows, and no more of them are right.
 */
export function owedDeadLetters(evidence: Evidence): ReadonlySet<string> {
  const { ends_at_record_max } = evidence.run;
  const ends = endsByRecord(evidence);
  return new Set([...defectDeadLetters(evidence)]
    .filter(([record]) => (ends.get(record)?.length ?? 0) === ends_at_record_max)
    .map(([, entry]) => entry));
}
