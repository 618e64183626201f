import { openNotification, putImageBack } from '../../domain/journey/notification.ts';
import { parseExact } from '../../kernel/exact-json.ts';
import type { ProofImages } from '../../kernel/images.ts';
import { shipmentSubject, type PersonalSeals, type SubjectKeys } from '../../kernel/personal.ts';
import type { HistoryOf, RecordedNotification, ShipmentHistory } from '../../kernel/shipment-history.ts';
import type { NotificationRecordId } from '../../kernel/shipments.ts';
import type { TrackingNumber } from '../../kernel/ids.ts';

/** Where notifications, their keys and their images come from. */
export interface FeedPorts {
  readonly history: Pick<ShipmentHistory, 'notifications'>;
  readonly images: Pick<ProofImages, 'find' | 'write'>;
  readonly personal: Pick<PersonalSeals, 'forReading'>;
}

/** A page of the feed: push bodies as JSON texts, and the place of the last one. */
export interface FeedPage {
  readonly texts: readonly string[];
  readonly last: NotificationRecordId | undefined;
  readonly hasMore: boolean;
}

/**
 * Reads at most `limit` notifications behind a place, each as it was pushed; of a shipment that was
 * erased only what is not personal. Together they have at
 * most `pageBytesMax` bytes with their images, unless the first alone has more; that is counted by
 * what the log says of the images, before one of them is touched.
 */
export async function readFeed(
  pageBytesMax: number, ports: FeedPorts, of: HistoryOf,
  after: NotificationRecordId | undefined, limit: number,
): Promise<FeedPage> {
  const { tracking_number: trackingNumber } = of;
  const { entries, next } = await ports.history.notifications(of, after, limit);
  const taken = entries.slice(0, Math.max(1, countWithin(pageBytesMax, entries)));
  const isSealed = taken.some(({ personal }) => personal !== undefined);
  const keys = await ports.personal.forReading(isSealed ? [shipmentSubject(trackingNumber)] : []);
  const texts = await Promise.all(
    taken.map((recorded) => pushBody(ports.images, keys, trackingNumber, recorded)),
  );
  const hasMore = next !== undefined || taken.length < entries.length;
  return { texts, last: taken.at(-1)?.recordId, hasMore };
}

function countWithin(bytesMax: number, entries: readonly RecordedNotification[]): number {
  let bytes = 0;
  const over = entries.findIndex((recorded) => {
    bytes += sizeOf(recorded);
    return bytes > bytesMax;
  });
  return over < 0 ? entries.length : over;
}

const IMAGE_FIELD = ',"image":""';

function sizeOf({ text, image, personal }: RecordedNotification): number {
  const own = Buffer.byteLength(text) + Math.ceil((personal?.sealed.length ?? 0) * 3 / 4) + 1;
  return image === undefined
    ? own
    : own + IMAGE_FIELD.length + Math.ceil(image.bytes / 3) * 4;
}

/** The text as it was sent; an image is put back, unless it has been erased since. */
async function pushBody(
  images: Pick<ProofImages, 'find' | 'write'>, keys: SubjectKeys, trackingNumber: TrackingNumber,
  { text, image, personal }: RecordedNotification,
): Promise<string> {
  const found = image === undefined ? undefined : await images.find(trackingNumber, image);
  if (found === undefined && personal === undefined) return text;
  const opened = openNotification(keys, trackingNumber, parseExact(text), personal);
  if (found === undefined || image === undefined) return JSON.stringify(opened);
  return JSON.stringify(putImageBack(opened, images.write(found, image.media_type)));
}
