import { fakeSignals } from '../../support/fake-signals.ts';
import { expect, it } from 'vitest';
import { FRESH_SECONDS } from '../../../services/kernel/objectives.ts';
import type { ConsumedRecord } from '../../../services/workers/common/outcomes.ts';
import { reportFreshness } from '../../../services/workers/common/report-freshness.ts';

const NOW_MS = 1_800_000_000_000;
const LIMIT_MS = FRESH_SECONDS.tables * 1_000;

const record = (topic: string, ageMs: number, headers = {}): ConsumedRecord => ({
  topic, topicId: 'id', partition: 0, offset: 0n, key: 'k', value: Buffer.from('{}'), schemaId: 1,
  headers: { 'received-at': String(NOW_MS - ageMs), ...headers }, timestampMs: NOW_MS,
});

function reported(records: readonly ConsumedRecord[]): readonly string[] {
  const seen: string[] = [];
  reportFreshness(fakeSignals({
    metric: (name, value, labels) => {
      seen.push([name, ...Object.values(labels), value].join(' '));
    },
  }), 'tables', records, NOW_MS);
  return seen;
}

it('reports the oldest of each topic, and how many came in time, to the millisecond', () => {
  expect(reported([
    record('t', 10), record('t', LIMIT_MS), record('t', LIMIT_MS + 1), record('u', 250),
  ])).toEqual([
    `rastro_freshness_seconds tables t ${(LIMIT_MS + 1) / 1_000}`,
    'rastro_stored_records_total tables t fresh 2',
    'rastro_stored_records_total tables t late 1',
    'rastro_freshness_seconds tables u 0.25',
    'rastro_stored_records_total tables u fresh 1',
  ]);
});

it('leaves out what was put back after repair, and takes a clock that is behind for no time', () => {
  expect(reported([record('t', LIMIT_MS * 9, { 'replayed-from': 'id:0:1' })])).toEqual([]);
  expect(reported([record('t', -5_000)])).toContain('rastro_freshness_seconds tables t 0');
});
