import type { IngestRecord, IngestResource } from '../../../schemas/generated/types.ts';
import type { ItemOutcomes, RecordOutcome } from '../../kernel/ingest.ts';

const NONE: ItemOutcomes = {
  stored: 0, duplicate: 0, outlier: 0, out_of_order: 0, ignored_after_final: 0, disputed: 0,
  dead_lettered: 0,
};

/** The outcomes of a call as its sender sees them; `records` are all of it, at least one. */
export function ingestResource(
  ingestId: string, records: readonly RecordOutcome[],
): IngestResource {
  const sum = (countOf: (record: RecordOutcome) => number): number => (
    records.reduce((total, record) => total + countOf(record), 0)
  );
  const outcomes = Object.fromEntries(Object.keys(NONE).map((name) => (
    [name, sum((record) => record.outcomes[name as keyof ItemOutcomes])]
  )));
  const waiting = sum((record) => record.waiting);
  return {
    ingest_id: ingestId,
    received_at: new Date(records[0]?.received_at_ms ?? 0).toISOString(),
    items: sum(({ items }) => items),
    settled: records.every((record) => record.waiting === 0),
    outcomes: { ...NONE, ...outcomes },
    waiting,
    records: records.map(recordOf),
  };
}

function recordOf(record: RecordOutcome): IngestRecord {
  const { kind, topic, partition, offset, items, outcomes, waiting, rule, deadLetter } = record;
  const { outlierReasons } = record;
  return {
    kind, topic, partition, offset, items,
    state: waiting === 0 ? 'settled' : 'waiting',
    outcomes,
    waiting,
    ...(Object.keys(outlierReasons).length === 0 ? {} : { outlier_reasons: outlierReasons }),
    ...(rule === undefined ? {} : { rule, unmapped: record.unmapped }),
    ...(deadLetter === undefined ? {} : deadLetter),
  };
}
