import { putImageBack } from '../../domain/journey/notification.ts';
import { parseExact } from '../../kernel/exact-json.ts';
import type { ProofImages } from '../../kernel/images.ts';
import type { RecordedNotification, ShipmentHistory } from '../../kernel/shipment-history.ts';
import type { NotificationPosition } from '../../kernel/shipments.ts';

/** Where notifications and their images come from. */
export interface FeedPorts {
  readonly history: Pick<ShipmentHistory, 'notifications'>;
  readonly images: Pick<ProofImages, 'find'>;
}

/** Bounds of a page. */
export interface FeedConfig {
  /** Most bytes of its notifications with their images; one notification it holds always. */
  readonly pageBytesMax: number;
  /** Most notifications that are read at once, since each may be as big as a page. */
  readonly notificationsReadMax: number;
}

/** A page of the feed: push bodies as JSON texts, and the place of the last one. */
export interface FeedPage {
  readonly texts: readonly string[];
  readonly last: NotificationPosition | undefined;
  readonly hasMore: boolean;
}

/** Reads at most `limit` notifications behind a place, each as it was pushed. */
export async function readFeed(
  config: FeedConfig, ports: FeedPorts, trackingNumber: string,
  after: NotificationPosition | undefined, limit: number,
): Promise<FeedPage> {
  const { taken, hasMore } = await take(config, ports, trackingNumber, after, limit);
  const texts = await Promise.all(
    taken.map((recorded) => pushBody(ports.images, trackingNumber, recorded)),
  );
  return { texts, last: taken.at(-1)?.place, hasMore };
}

/** Their bytes are counted by what the log says of the images, before one of them is touched. */
async function take(
  { pageBytesMax, notificationsReadMax }: FeedConfig, { history }: FeedPorts,
  trackingNumber: string, after: NotificationPosition | undefined, limit: number,
): Promise<{ readonly taken: readonly RecordedNotification[]; readonly hasMore: boolean }> {
  const taken: RecordedNotification[] = [];
  let bytes = 0;
  for (;;) {
    // One more than there is room for tells whether there is a next page.
    const wanted = Math.min(notificationsReadMax, limit + 1 - taken.length);
    const place = taken.at(-1)?.place ?? after;
    const found = await history.notifications(trackingNumber, place, wanted);
    for (const recorded of found) {
      bytes += sizeOf(recorded);
      const isFull = taken.length === limit || (taken.length > 0 && bytes > pageBytesMax);
      if (isFull) return { taken, hasMore: true };
      taken.push(recorded);
    }
    if (found.length < wanted) return { taken, hasMore: false };
  }
}

const IMAGE_FIELD = ',"image":""';

function sizeOf({ text, image }: RecordedNotification): number {
  const own = Buffer.byteLength(text) + 1;
  return image === undefined
    ? own
    : own + IMAGE_FIELD.length + Math.ceil(image.bytes / 3) * 4;
}

/** The text as it is in the log; an image is put back, unless it has been erased since. */
async function pushBody(
  images: Pick<ProofImages, 'find'>, trackingNumber: string, recorded: RecordedNotification,
): Promise<string> {
  const { text, image } = recorded;
  if (image === undefined) return text;
  const found = await images.find(trackingNumber, image);
  if (found === undefined) return text;
  const base64 = Buffer.from(found).toString('base64');
  return JSON.stringify(putImageBack(parseExact(text), base64));
}
