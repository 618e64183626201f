import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openShipmentHistory, SHIPMENT_HISTORY_LIMITS, type OpenShipmentHistory,
} from '../../../services/adapters/clickhouse/shipment-history.ts';
import type { JourneyRecorded } from '../../../services/kernel/shipments.ts';
import type { RecordedNotification } from '../../../services/kernel/shipment-history.ts';
import { journeyEvent, ofCarrier, shipmentHistorySuite } from '../../support/shipment-history.suite.ts';
import { stackEnv } from '../../support/stack.ts';
import { createHistory, type History } from './history.ts';
import { journeyRecord, notificationRecord, writeLines } from './shipments.ts';

let made = 0;

function openReader(database: string, more = {}): OpenShipmentHistory {
  const env = stackEnv();
  return openShipmentHistory({
    ...SHIPMENT_HISTORY_LIMITS, url: env.CLICKHOUSE_URL, user: env.CLICKHOUSE_HISTORY_USER,
    password: env.CLICKHOUSE_HISTORY_PASSWORD, database, ...more,
  });
}

/** Notifications of `carrier-1`, each with its outcome. */
async function recordAll(
  { ingest }: History, trackingNumber: string, entries: readonly RecordedNotification[],
): Promise<void> {
  await writeLines(
    ingest, 'in_notifications', entries.map((each) => notificationRecord(trackingNumber, each)),
  );
  await writeLines(ingest, 'in_journeys', entries.map(({ recordId, received_at_ms }) => (
    journeyRecord(journeyEvent(trackingNumber, recordId, { received_at_ms }), made += 1)
  )));
}

describe('The history of shipments in ClickHouse', () => {
  shipmentHistorySuite(async () => {
    const history = await createHistory();
    const reader = openReader(history.database);
    return {
      history: reader,
      record: (trackingNumber, entries) => recordAll(history, trackingNumber, entries),
      recordJourneys: (entries) => writeLines(
        history.ingest, 'in_journeys', entries.map((entry) => journeyRecord(entry, made += 1)),
      ),
      async close() {
        await reader.close();
        await history.drop();
      },
    };
  });
});

describe('The limits of the history', () => {
  let history: History;
  beforeAll(async () => { history = await createHistory(); });
  afterAll(() => history.drop());

  const reported = (offset: number, bytes: number): RecordedNotification => ({
    recordId: { topic_id: 'topic-1', partition: 0, offset }, image: undefined,
    text: JSON.stringify({ code: 'x'.repeat(bytes) }), received_at_ms: 1_764_000_000_000,
  });

  it('ends a page before its texts are too large together; a larger one is alone', async () => {
    const entries = [reported(1, 400), reported(2, 500), reported(3, 5_000), reported(4, 100),
      reported(5, 100)];
    await recordAll(history, 'N1', entries);
    const reader = openReader(history.database, { pageBytesMax: 1_000 });
    const sizes: number[] = [];
    let after;
    do {
      const page = await reader.notifications(ofCarrier('N1'), after, 10);
      sizes.push(page.entries.length);
      after = page.next;
    } while (after !== undefined);
    expect(sizes).toEqual([2, 1, 2]);
    await reader.close();
  });

  it('[NOT-47] leaves out what another carrier notified, and what has no outcome yet', async () => {
    const apart = { rule: 'other_carrier', outcome: 'disputed' } as const;
    const reapplied = { rule: 'reapplied_before', outcome: 'duplicate' } as const;
    const others: Partial<JourneyRecorded>[] = [
      {}, { client_id: 'carrier-2', ...apart }, reapplied,
      { client_id: 'carrier-0', carrier: 'carrier-0' },
    ];
    const entries = others.map((_, offset) => reported(offset, 10));
    await writeLines(history.ingest, 'in_notifications', [...entries, reported(9, 10)].map(
      (each) => notificationRecord('N3', each),
    ));
    await writeLines(history.ingest, 'in_journeys', entries.map(({ recordId }, index) => (
      journeyRecord(journeyEvent('N3', recordId, others[index]), made += 1)
    )));
    const reader = openReader(history.database);
    const feed = await reader.notifications(ofCarrier('N3'), undefined, 10);
    const journey = await reader.journey(ofCarrier('N3'), undefined, 10);
    expect([feed.entries, journey.entries.map(({ notification }) => notification.offset)])
      .toEqual([entries.slice(0, 1), [0]]);
    await reader.close();
  });

  it('gives no more entries at once than one page may have', async () => {
    const reader = openReader(history.database, { pageEntriesMax: 2 });
    const entries = [1, 2, 3].map((offset) => reported(offset, 10));
    await recordAll(history, 'N2', entries);
    const page = await reader.notifications(ofCarrier('N2'), undefined, 1_000);
    expect(page).toEqual({ entries: entries.slice(0, 2), next: entries[1]?.recordId });
    await reader.close();
  });

  it.each([
    ['does not answer', { url: 'http://127.0.0.1:1' }],
    ['refuses who asks', { password: 'wrong' }],
    ['has no such tables', { database: 'default' }],
    ['would have to read too much', { readRowsMax: 1 }],
  ])('is a fault when the store %s', async (_what, more) => {
    const reader = openReader(history.database, more);
    const fault = { code: 'sink_unavailable', retryable: true };
    await expect(reader.notifications(ofCarrier('N1'), undefined, 1)).rejects.toMatchObject(fault);
    await reader.close();
  });
});
