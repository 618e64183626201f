import { afterAll, beforeAll, expect, it } from 'vitest';
import type {
  HistoryOf, HistoryPage, RecordedNotification, ShipmentHistory,
} from '../../services/kernel/shipment-history.ts';
import type { JourneyRecorded, NotificationRecordId } from '../../services/kernel/shipments.ts';
import { recordJourneys, received } from './journeys.ts';

/** One kind of history and the ways to fill it. */
export interface OpenedHistory {
  readonly history: ShipmentHistory;
  record(trackingNumber: string, entries: readonly RecordedNotification[]): Promise<void>;
  recordJourneys(entries: readonly JourneyRecorded[]): Promise<void>;
  close(): Promise<void>;
}

const IMAGE = {
  sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', bytes: 48_213,
  media_type: 'image/png', object: 'ba/x.bin',
} as const;
// What only the text as it was written keeps: digits, escapes, the order and repeats of keys.
const TEXT = '{"tracking_number":"N","code":"0114","carrier_code":"X","payload":{"date":'
  + '"2026-11-20T10:15:00-03","cost":1.50,"long":123456789012345678901234567890,"e":-1E+2,'
  + '"zero":-0.0,"b":1,"a":{"}":"{\\"","\\u0041":"\\/é\u{1f600}\\ud83d\\ude00\\n\\\\"},'
  + '"list":[1.0,[],{},null,true,"\u2028"],"empty":{}}}';

const at = (offset: number, topic_id = 'topic-1', partition = 0): NotificationRecordId => (
  { topic_id, partition, offset }
);
const entry = (recordId: NotificationRecordId, more: Partial<RecordedNotification> = {}) => ({
  recordId, text: `{"code":"${recordId.offset}"}`, image: undefined,
  received_at_ms: 1_764_000_000_000 + recordId.offset, ...more,
});
/** Whose the notifications of the suite are. */
export const ofCarrier = (tracking_number: string): HistoryOf => (
  { tracking_number, carrier: 'carrier-1' }
);

/** The outcome of a notification of that carrier. */
export const journeyEvent = (trackingNumber: string, recordId: NotificationRecordId, more = {}) => {
  const [event] = recordJourneys([
    received(recordId.offset, 'EX-HUB', 1, { tracking_number: trackingNumber, notification: recordId }),
  ]).events;
  const received_at_ms = 1_764_000_000_000 + recordId.offset;
  return { ...event, received_at_ms, ...more } as JourneyRecorded;
};

/** Every page one after the other. */
async function pagesOf<Entry>(
  ask: (after: NotificationRecordId | undefined) => Promise<HistoryPage<Entry>>,
): Promise<readonly (readonly Entry[])[]> {
  const pages: (readonly Entry[])[] = [];
  let after: NotificationRecordId | undefined;
  do {
    const page = await ask(after);
    pages.push(page.entries);
    after = page.next;
  } while (after !== undefined);
  return pages;
}

/** What every history must do. */
export function shipmentHistorySuite(open: () => Promise<OpenedHistory>): void {
  let opened: OpenedHistory;
  let history: ShipmentHistory;
  let made = 0;
  const fresh = (): string => `N-${made += 1}`;
  beforeAll(async () => {
    opened = await open();
    history = opened.history;
  });
  afterAll(() => opened.close());

  it('knows nothing of a number without notifications', async () => {
    const nothing = { entries: [], next: undefined };
    expect(await history.notifications(ofCarrier('unknown'), undefined, 10)).toEqual(nothing);
    expect(await history.journey(ofCarrier('unknown'), at(3), 10)).toEqual(nothing);
  });

  it('gives a notification back as it was recorded, byte for byte', async () => {
    const number = `${fresh()} "é" '\\n'`;
    const own = ofCarrier(number);
    const kept = entry(at(7), { text: TEXT, image: IMAGE });
    await opened.record(number, [kept, entry(at(8))]);
    expect(await history.notifications(own, undefined, 10))
      .toEqual({ entries: [kept, entry(at(8))], next: undefined });
  });

  it('pages in recorded order, each place once and nothing left out', async () => {
    const [number, other] = [fresh(), fresh()];
    const own = ofCarrier(number);
    const entries = [1, 2, 4, 9, 10, 11, 100].map((offset) => entry(at(offset)));
    await opened.record(other, [entry(at(3)), entry(at(5))]);
    await opened.record(number, [...entries.toReversed(), ...entries.slice(2)]);
    await opened.record(number, entries.slice(0, 4));
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      const pages = await pagesOf((after) => history.notifications(own, after, limit));
      expect(pages.flat(), `${limit} at a time`).toEqual(entries);
      expect(pages.every(({ length }) => length > 0 && length <= limit)).toBe(true);
    }
  });

  it('puts what a topic that was made again holds after what the one before it held', async () => {
    const number = fresh();
    const own = ofCarrier(number);
    const [old, anew] = [`z-${number}`, `a-${number}`];
    const places = [
      at(5, old, 1), at(6, old, 1), at(2, old, 2), at(0, anew, 1), at(1, anew, 1),
    ];
    const entries = places.map((recordId, index) => (
      entry(recordId, { received_at_ms: 1_764_000_000_000 + index })
    ));
    await opened.record(number, entries);
    await opened.recordJourneys(places.map((recordId, index) => (
      journeyEvent(number, recordId, { received_at_ms: 1_764_000_000_000 + index })
    )));
    for (const limit of [1, 2, 10]) {
      expect((await pagesOf((after) => history.notifications(own, after, limit))).flat())
        .toEqual(entries);
      expect((await pagesOf((after) => history.journey(own, after, limit))).flat()
        .map(({ notification }) => notification)).toEqual(places);
    }
  });

  it('begins again for a record id of a topic of which nothing is kept', async () => {
    const number = fresh();
    const own = ofCarrier(number);
    await opened.record(number, [entry(at(1)), entry(at(2))]);
    expect((await history.notifications(own, at(9, 'gone'), 10)).entries).toHaveLength(2);
    expect((await history.notifications(own, at(1), 10)).entries).toEqual([entry(at(2))]);
  });

  it('gives a journey event back as it was recorded', async () => {
    const number = fresh();
    const own = ofCarrier(number);
    const all = [received(1, 'EX-HUB', 5), received(2, 'EX-DLV', 6), received(3, 'NONE', 7)];
    const { events } = recordJourneys(all.map((each) => ({ ...each, tracking_number: number })));
    const early = journeyEvent(number, at(0), {
      occurred_at: '0001-01-01T00:00:00+14', unmapped: true, source: 'pull',
    });
    const { state: _, ...stateless } = early;
    await opened.recordJourneys([stateless, ...events]);
    expect((await history.journey(own, undefined, 10)).entries).toEqual([stateless, ...events]);
  });

  it('keeps the first of two events of one record id, in pages too', async () => {
    const number = fresh();
    const own = ofCarrier(number);
    const first = [1, 2, 3].map((offset) => journeyEvent(number, at(offset)));
    await opened.recordJourneys(first);
    await opened.recordJourneys([journeyEvent(number, at(2), { catalogue: 'newer' }), journeyEvent(number, at(3))]);
    const pages = await pagesOf((after) => history.journey(own, after, 2));
    expect(pages).toEqual([first.slice(0, 2), first.slice(2)]);
  });
}
