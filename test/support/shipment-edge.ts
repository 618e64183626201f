import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openImages } from '../../services/adapters/images/images.ts';
import { keyedSecrets } from '../../services/adapters/secrets/secrets.ts';
import { pullNotifications } from '../../services/gateways/notifications/operations/pull-notifications.ts';
import { showJourney } from '../../services/gateways/notifications/operations/show-journey.ts';
import { placeCursors } from '../../services/gateways/common/place-cursors.ts';
import { cutImage } from '../../services/domain/journey/notification.ts';
import { parseExact } from '../../services/kernel/exact-json.ts';
import type { ProofImages } from '../../services/kernel/images.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { EDGE_TOKEN, GOOD_FACTS, openEdge, type Edge } from './edge.ts';
import { fakeShipmentHistory, type FakeShipmentHistory } from './fake-shipment-history.ts';
import { fakePersonal } from './fake-personal.ts';
import { memoryShipments } from './memory-states.ts';

/** Facts of a carrier who may read its feed and its journeys. */
export const READER = {
  clientId: 'carrier-1', userId: 'u', audience: 'tracking-pull',
  scopes: ['tracking:read', 'query:read'], providers: [],
};

/** A page as the feed answers it. */
export interface FeedReply {
  readonly tracking_number: string;
  readonly notifications: readonly Readonly<Record<string, unknown>>[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

/** What is asked for besides the shipment. */
export interface PageWishes {
  readonly cursor?: string;
  readonly limit?: number | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Feed and journey behind a real HTTP edge, with history and store in memory, and real images. */
export interface ShipmentEdge {
  readonly edge: Edge;
  readonly images: ProofImages;
  history: FakeShipmentHistory;
  shipments: ReturnType<typeof memoryShipments>;
  /** A new history and store in which RST1 is the reader's and RST2 another's. */
  reset(): Promise<void>;
  /** Adds a notification as JSON text behind those before it, its image cut out and kept. */
  record(text: string, recordId?: { readonly topic_id?: string }): Promise<void>;
  ask(what: 'notifications' | 'journey', number: string, wishes?: PageWishes): Promise<Response>;
  /** A page of the feed that must be answered 200. */
  pull(wishes?: PageWishes): Promise<FeedReply>;
  close(): Promise<void>;
}

/** Opens the edge; the test closes it. `pepper` keys the cursors. */
export async function openShipmentEdge(pepper = 'pepper-for-tests'): Promise<ShipmentEdge> {
  const folder = mkdtempSync(join(tmpdir(), 'rastro-feed-'));
  const images = openImages(
    { folder, key: Buffer.alloc(32, 7).toString('base64') }, { signals: silentSignals },
  );
  const ports = {
    images, personal: fakePersonal(), cursors: placeCursors(keyedSecrets(pepper).hash),
    get history() { return at.history; },
    get shipments() { return at.shipments; },
  };
  const edge = await openEdge({ operations: [pullNotifications(ports), showJourney(ports)] });
  let offset = 0;
  const at: ShipmentEdge = {
    edge, images,
    history: fakeShipmentHistory(),
    shipments: memoryShipments(),
    async reset() {
      Object.assign(at, { history: fakeShipmentHistory(), shipments: memoryShipments() });
      await at.shipments.authorize('RST1', { carrier_client_id: READER.clientId, at_ms: 1 });
      await at.shipments.authorize('RST2', { carrier_client_id: 'carrier-2', at_ms: 1 });
      edge.admit({ ...GOOD_FACTS, device: undefined, caller: READER });
    },
    async record(text, { topic_id = 'topic-1' } = {}) {
      const { trackingNumber, notification, image } = cutImage(parseExact(text));
      const read = image === undefined ? undefined : images.read(image);
      offset += 1;
      at.history.addNotifications(trackingNumber, {
        recordId: { topic_id, partition: 3, offset },
        text: JSON.stringify(notification),
        image: read === undefined ? undefined : await images.keep(trackingNumber, read),
        received_at_ms: 1_764_000_000_000 + offset,
      });
    },
    ask(what, number, { cursor, limit, headers } = {}) {
      const query = new URLSearchParams({
        ...(cursor === undefined ? {} : { cursor }),
        ...(limit === undefined ? {} : { limit: String(limit) }),
      });
      const path = `/shipping/tracking/shipments/${encodeURIComponent(number)}/${what}`;
      return fetch(`${edge.url}${path}?${query.toString()}`, {
        headers: { authorization: `Bearer ${EDGE_TOKEN}`, ...headers },
      });
    },
    async pull(wishes) {
      const response = await at.ask('notifications', 'RST1', wishes);
      if (response.status !== 200) throw new Error(`answered ${response.status}`);
      return await response.json() as FeedReply;
    },
    async close() {
      await edge.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return at;
}
