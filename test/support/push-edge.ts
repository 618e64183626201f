import { decodeImage, encodeImage } from '../../services/adapters/images/decode.ts';
import { decodeLongImage } from '../../services/adapters/images/decode-long.ts';
import { createIds, systemClock } from '../../services/adapters/system/system.ts';
import {
  pushNotifications,
} from '../../services/gateways/notifications/operations/push-notifications.ts';
import { parseExact } from '../../services/kernel/exact-json.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';
import type { ProofImages } from '../../services/kernel/images.ts';
import type { ShipmentOwner } from '../../services/kernel/shipments.ts';
import { shipmentSubject } from '../../services/kernel/personal.ts';
import { GOOD_FACTS, openEdge, problemOf, type Edge } from './edge.ts';
import { fakeRecordLog, type FakeRecordLog } from './fake-log.ts';
import { recordingPersonal } from './fake-personal.ts';
import type { SentNotification } from './notifications.ts';
import { memoryShipments } from './memory-states.ts';

/** Facts of a carrier who may push. */
export const CARRIER = {
  clientId: 'carrier-1', userId: 'u', audience: 'logistic-feed', scopes: ['tracking:push'],
  providers: [],
};

/** A recorded notification, as the log of the edge holds it, what is sealed opened. */
export interface Recorded {
  readonly notification: SentNotification;
  readonly image?: Readonly<Record<string, unknown>>;
  readonly owner?: ShipmentOwner;
}

/** The push behind a real HTTP edge, with log, store and images in memory. */
export interface PushEdge {
  readonly edge: Edge;
  log: FakeRecordLog;
  shipments: ReturnType<typeof memoryShipments>;
  /** Tracking numbers whose images were kept. */
  kept: string[];
  imagesFail: boolean;
  /** A new log and store, and a caller who may push. */
  reset(): void;
  push(body: unknown, headers?: Readonly<Record<string, string | null>>): Promise<Response>;
  /** Pushes and returns the pointers of the errors of a 400. */
  faultsOf(body: unknown): Promise<readonly string[]>;
  recorded(): readonly Recorded[];
  /** The same as texts, every number as it was written. */
  recordedTexts(): readonly string[];
}

/** Opens the edge; the test closes `edge`. */
export async function openPushEdge(): Promise<PushEdge> {
  const images: ProofImages = {
    read: decodeImage,
    readLong: decodeLongImage,
    write: encodeImage,
    keep: async (trackingNumber, { bytes, media_type, flag }) => {
      if (at.imagesFail) throw new Unavailable('images_unavailable', 'append', 'as the test asked');
      at.kept.push(trackingNumber);
      const reference = { sha256: 'a'.repeat(64), bytes: bytes.length, media_type, object: 'x' };
      return flag === undefined ? reference : { ...reference, flag };
    },
    find: async () => undefined,
    erase: async () => undefined,
  };
  const { personal, opened } = recordingPersonal();
  const operation = pushNotifications({
    ids: createIds(systemClock), images,
    personal,
    log: { append: (record, deadlineMs) => at.log.append(record, deadlineMs) },
    get shipments() { return at.shipments; },
  });
  const edge = await openEdge({ operations: [operation] });
  const at: PushEdge = {
    edge,
    log: fakeRecordLog(),
    shipments: memoryShipments(),
    kept: [],
    imagesFail: false,
    reset() {
      Object.assign(at, {
        log: fakeRecordLog(), shipments: memoryShipments(), kept: [], imagesFail: false,
      });
      edge.admit({ ...GOOD_FACTS, device: undefined, caller: CARRIER });
    },
    push: (body, headers = {}) => edge.post(
      typeof body === 'string' ? body : JSON.stringify(body),
      { path: '/shipping/tracking/notifications', headers },
    ),
    async faultsOf(body) {
      const response = await at.push(body);
      if (response.status !== 400) return [`answered ${response.status}`];
      return (await problemOf(response)).errors.map(({ pointer }) => pointer);
    },
    recorded: () => at.log.of('shipment.notifications.v1')
      .map(({ key, value }) => opened(shipmentSubject(key), value) as Recorded),
    recordedTexts: () => at.log.of('shipment.notifications.v1').map(({ key, bytes }) => (
      JSON.stringify(opened(shipmentSubject(key), parseExact(Buffer.from(bytes).toString())))
    )),
  };
  return at;
}
