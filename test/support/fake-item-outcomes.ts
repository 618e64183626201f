import type { ItemOutcomeReader, RecordOutcome } from '../../services/kernel/ingest.ts';

/** {@link ItemOutcomeReader} in memory, for the tests of who uses it. */
export interface FakeItemOutcomes extends ItemOutcomeReader {
  /** As if the call of this client had left these records. */
  add(clientId: string, ingestId: string, ...records: readonly RecordOutcome[]): void;
}

/** No call has outcomes yet. */
export function fakeItemOutcomes(): FakeItemOutcomes {
  const calls = new Map<string, readonly RecordOutcome[]>();
  return {
    add(clientId, ingestId, ...records) { calls.set(`${clientId} ${ingestId}`, records); },
    newest: async (clientId, { sinceMs, limit }) => [...calls]
      .flatMap(([call, records]) => {
        const [first] = records;
        const [client = '', ingestId = ''] = call.split(' ');
        if (client !== clientId || first === undefined) return [];
        return first.received_at_ms < sinceMs ? [] : [{
          ingestId, received_at_ms: first.received_at_ms, kind: first.kind,
          provider: first.kind === 'notifications' ? '' : 'acme',
          items: records.reduce((sum, { items }) => sum + items, 0),
        }];
      })
      .toReversed().slice(0, limit),
    find: async (clientId, ingestId) => [...calls].find(([call]) => (
      clientId === undefined ? call.endsWith(` ${ingestId}`) : call === `${clientId} ${ingestId}`
    ))?.[1] ?? [],
  };
}

/** A record of twelve locations, all stored. */
export function anOutcome(more: Partial<RecordOutcome> = {}): RecordOutcome {
  return {
    kind: 'locations', topic: 'rtt.locations.v1', partition: 3, offset: 12_345,
    received_at_ms: 1_764_000_005_123, items: 12,
    outcomes: {
      stored: 12, duplicate: 0, outlier: 0, out_of_order: 0, ignored_after_final: 0,
      disputed: 0, dead_lettered: 0,
    },
    outlierReasons: {}, waiting: 0, rule: undefined, unmapped: false, deadLetter: undefined,
    ...more,
  };
}
