import type { ConsumedRecord, ApplyRecords, Outcome } from './outcomes.ts';

/**
 * Hands the records of each topic to its own applier, one topic after the other in the order of the
 * table; within a topic the order of the log stays. A topic without an applier is a defect.
 */
export function applyByTopic(appliers: Readonly<Record<string, ApplyRecords>>): ApplyRecords {
  return async function applyRecordsByTopic(records) {
    const stray = records.find(({ topic }) => appliers[topic] === undefined);
    if (stray !== undefined) throw new Error(`Nothing applies the topic ${stray.topic}.`);
    const outcomes: Outcome[] = [];
    for (const [topic, applyRecords] of Object.entries(appliers)) {
      const own: readonly ConsumedRecord[] = records.filter((record) => record.topic === topic);
      outcomes.push(...await applyRecords(own));
    }
    return outcomes;
  };
}
