import { expect, it } from 'vitest';
import { TABLE_WRITER_LIMITS, TABLES } from '../../../services/workers/table-writer/config.ts';
import { inOrderOfDays, piecesOf, type InsertLine } from '../../../services/workers/table-writer/pieces.ts';
import { post } from './fixtures.ts';

const MIDNIGHT_MS = Date.UTC(2026, 10, 22);
const OF_LOCATIONS = TABLES['rtt.locations.v1'];
const OF_NOTIFICATIONS = TABLES['shipment.notifications.v1'];

function lineAt(offset: number, shiftMs: number): InsertLine {
  const record = post(0, offset, {
    headers: { 'received-at': String(MIDNIGHT_MS + shiftMs), n: '1' },
  });
  return { record, bytes: record.value };
}

/** Offsets of each insert of these lines. */
function insertsOf(table: string, lines: readonly InsertLine[]): number[][] {
  const ordered = inOrderOfDays(lines, table, TABLE_WRITER_LIMITS);
  return [...piecesOf(ordered, table, TABLE_WRITER_LIMITS)].map(({ from, to }) => (
    ordered.slice(from, to).map(({ record }) => Number(record.offset))
  ));
}

it('inserts locations of each day of receipt apart, in the order of the log', () => {
  const lines = [lineAt(1, -2), lineAt(2, 0), lineAt(3, -1), lineAt(4, 5), lineAt(5, 86_400_000)];
  expect(insertsOf(OF_LOCATIONS, lines)).toEqual([[1, 3], [2, 4], [5]]);
});

it('inserts other records as they come, whatever their days', () => {
  const lines = [lineAt(1, 5), lineAt(2, -5), lineAt(3, 86_400_000)];
  expect(insertsOf(OF_NOTIFICATIONS, lines)).toEqual([[1, 2, 3]]);
});
