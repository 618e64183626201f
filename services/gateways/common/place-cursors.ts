import type { Digest } from '../../kernel/digest.ts';
import type { NotificationRecordId } from '../../kernel/shipments.ts';
import type { TrackingNumber } from '../../kernel/ids.ts';

/** What a cursor points into; one of the feed is none of the journey. */
export type CursorKind = 'feed' | 'journey';

/** Where a page begins: behind a place, or at the start. */
export interface PageStart {
  readonly after: NotificationRecordId | undefined;
}

/** Cursors of one shipment's pages. */
export interface PlaceCursors {
  write(kind: CursorKind, trackingNumber: TrackingNumber, start: PageStart): string;
  /** Undefined for what {@link PlaceCursors.write} did not write for this kind and shipment. */
  read(kind: CursorKind, trackingNumber: TrackingNumber, cursor: string): PageStart | undefined;
}

const START = '-';
const PLACE = /^([A-Za-z0-9_-]{1,64}):(\d{1,9}):(\d{1,16})$/;
const SEAL_CHARACTERS = 32;

/**
 * Places in the log as opaque texts. Each is sealed for its shipment with `sign`, which is keyed by
 * a secret of the deployment: it stays good over restarts and on every gateway, and one of another
 * shipment, or one made up, is none.
 */
export function placeCursors(sign: Digest): PlaceCursors {
  const sealOf = (kind: CursorKind, trackingNumber: TrackingNumber, place: string): string =>
    sign(JSON.stringify(['cursor', kind, trackingNumber, place])).slice(0, SEAL_CHARACTERS);

  return {
    write(kind, trackingNumber, { after }) {
      const place = after === undefined
        ? START
        : `${after.topic_id}:${after.partition}:${after.offset}`;
      const sealed = `${sealOf(kind, trackingNumber, place)}.${place}`;
      return Buffer.from(sealed).toString('base64url');
    },

    read(kind, trackingNumber, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.toString('base64url') !== cursor) return undefined;
      const sealed = bytes.toString('utf8');
      const place = sealed.slice(SEAL_CHARACTERS + 1);
      if (sealed !== `${sealOf(kind, trackingNumber, place)}.${place}`) return undefined;
      if (place === START) return { after: undefined };
      const [, topic_id, partition, offset] = PLACE.exec(place) ?? [];
      if (topic_id === undefined) return undefined;
      return { after: { topic_id, partition: Number(partition), offset: Number(offset) } };
    },
  };
}
