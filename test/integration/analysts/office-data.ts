import { expect } from 'vitest';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { createHistory, writePosts, type History } from '../clickhouse/history.ts';
import { journeyRecord, writeLines } from '../clickhouse/shipments.ts';
import {
  auditRecords, commandRecords, deadLetterLines, driverRecords, repairLines, wrongPost,
} from './office-facts.ts';
import { authorizationRecords, MOVES, notificationRecords } from './shipment-moves.ts';
import { vanEvents, vanLives, vanPosts } from './vans.ts';

/** The topic of which records are missing, and where. */
export const UNREAD = { topic: 'rtt.telemetry-events.v1', first: 2, records: 3 };

/** A database with shipments, vans, commands and what went wrong, all of it made for the test. */
export async function createOfficeData(): Promise<History> {
  const history = await createHistory();
  expect(await writePosts(history.ingest, inTheirLog([
    ...vanPosts(), wrongPost(), ...vanLives(), ...vanEvents(), ...authorizationRecords(),
    ...commandRecords(), ...driverRecords(), ...auditRecords(),
  ]))).toEqual([]);
  await writeLines(history.ingest, 'in_notifications', notificationRecords());
  await writeLines(
    history.ingest, 'in_journeys', MOVES.map(({ event }, n) => journeyRecord(event, n + 1)),
  );
  for (const [table, lines] of [
    ['in_dead_letters', deadLetterLines()], ['in_dead_letter_repairs', repairLines()],
  ] as const) {
    expect(await history.ingest.insert(table, lines, `${table}-of-the-office`))
      .toEqual({ kind: 'stored' });
  }
  return history;
}

/** Gives the records of each topic the offsets that they have in a log, without those unread. */
function inTheirLog(records: readonly LogRecord[]): readonly LogRecord[] {
  const next = new Map<string, number>();
  return records.map((record) => {
    const offset = next.get(record.topic) ?? 0;
    const isBefore = record.topic === UNREAD.topic && offset === UNREAD.first;
    const own = offset + (isBefore ? UNREAD.records : 0);
    next.set(record.topic, own + 1);
    return { ...record, offset: BigInt(own) };
  });
}
