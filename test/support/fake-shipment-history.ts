import { Unavailable } from '../../services/kernel/unavailable.ts';
import type {
  HistoryPage, RecordedNotification, ShipmentHistory,
} from '../../services/kernel/shipment-history.ts';
import type { JourneyRecorded, NotificationRecordId } from '../../services/kernel/shipments.ts';

/** {@link ShipmentHistory} in memory, for the tests of who uses it. */
export interface FakeShipmentHistory extends ShipmentHistory {
  /** As if recorded: topics count in the order in which they are first given here. */
  addNotifications(trackingNumber: string, ...entries: readonly RecordedNotification[]): void;
  addJourney(...entries: readonly JourneyRecorded[]): void;
  /** Every call rejects with this fault from now on; without a code they work again. */
  failWith(code?: 'sink_unavailable'): void;
}

/** Makes an empty history that obeys `shipment-history.suite.ts`. */
export function fakeShipmentHistory(): FakeShipmentHistory {
  const notifications = new Map<string, RecordedNotification[]>();
  const journeys = new Map<string, JourneyRecorded[]>();
  const topics: string[] = [];
  let failure: 'sink_unavailable' | undefined;

  function page<T>(
    entries: readonly T[], placeOf: (entry: T) => NotificationRecordId,
    after: NotificationRecordId | undefined, limit: number,
  ): HistoryPage<T> {
    if (failure !== undefined) throw new Unavailable(failure, 'receive', 'as the test asked');
    const order = (a: NotificationRecordId, b: NotificationRecordId): number => (
      topics.indexOf(a.topic_id) - topics.indexOf(b.topic_id)
      || a.partition - b.partition || a.offset - b.offset
    );
    const distinct = entries.filter((entry, index) => index === entries.findIndex((other) => (
      order(placeOf(other), placeOf(entry)) === 0
    )));
    const rest = distinct.toSorted((a, b) => order(placeOf(a), placeOf(b)))
      .filter((entry) => after === undefined || order(placeOf(entry), after) > 0);
    const last = rest.length > limit ? rest[limit - 1] : undefined;
    return {
      entries: rest.slice(0, limit), next: last === undefined ? undefined : placeOf(last),
    };
  }

  function rememberTopic({ topic_id }: NotificationRecordId): void {
    if (!topics.includes(topic_id)) topics.push(topic_id);
  }

  return {
    async notifications({ tracking_number }, after, limit) {
      const own = notifications.get(tracking_number) ?? [];
      return page(own, ({ recordId }) => recordId, after, limit);
    },
    async journey({ tracking_number }, after, limit) {
      return page(
        journeys.get(tracking_number) ?? [], ({ notification }) => notification, after, limit,
      );
    },
    addNotifications(trackingNumber, ...entries) {
      for (const { recordId } of entries) rememberTopic(recordId);
      notifications.set(trackingNumber, [...notifications.get(trackingNumber) ?? [], ...entries]);
    },
    addJourney(...entries) {
      for (const entry of entries) {
        rememberTopic(entry.notification);
        const { tracking_number } = entry;
        journeys.set(tracking_number, [...journeys.get(tracking_number) ?? [], entry]);
      }
    },
    failWith(code) {
      failure = code;
    },
  };
}
