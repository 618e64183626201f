import type {
  ImageReference, JourneyRecorded, NotificationRecordId, SealedPersonal,
} from '../../schemas/generated/types.ts';
import type { ClientId, TrackingNumber } from './ids.ts';

/** A notification as the log keeps it. */
export interface RecordedNotification {
  readonly recordId: NotificationRecordId;
  /**
   * JSON text of the notification, byte for byte as it was recorded: numbers as they were written,
   * payload.proof_of_delivery.image and what is personal cut out.
   */
  readonly text: string;
  /** What was cut out as personal, sealed, if there was anything. */
  readonly personal?: SealedPersonal | undefined;
  /** Where the image is that was cut out, if there was one. */
  readonly image: ImageReference | undefined;
  /** When it was taken, ms since epoch. */
  readonly received_at_ms: number;
}

/** Whose notifications about which shipment. */
export interface HistoryOf {
  readonly tracking_number: TrackingNumber;
  /** Client of the carrier that has the shipment; what others notified about it is left out. */
  readonly carrier: ClientId;
}

/** A page of what was recorded about a shipment. */
export interface HistoryPage<Entry> {
  readonly entries: readonly Entry[];
  /**
   * Record id of the last entry, to continue after; undefined on the last page. A page may hold
   * fewer entries than asked for and yet not be the last: the bytes of its texts are limited.
   */
  readonly next: NotificationRecordId | undefined;
}

/**
 * What was recorded about a shipment, in recorded order: by partition and offset, and a topic
 * that was created again comes after the one before it. One entry for each record; an unknown
 * number has none. A little behind the log, never with a gap before what it shows. A notification
 * is shown once it has an outcome.
 *
 * `after` is the `next` of the page before, undefined for the first page; a record id in a topic of
 * which nothing is kept any more comes before everything. `limit` is the most entries of a page,
 * 1 to 1,000. Calls reject with `Unavailable` `sink_unavailable` while the store does not answer.
 */
export interface ShipmentHistory {
  notifications(
    of: HistoryOf, after: NotificationRecordId | undefined, limit: number,
  ): Promise<HistoryPage<RecordedNotification>>;
  /** The outcomes, each under the record id of its notification (`notification` in it). */
  journey(
    of: HistoryOf, after: NotificationRecordId | undefined, limit: number,
  ): Promise<HistoryPage<JourneyRecorded>>;
}
