import { notificationRecorded, subjectsOf } from '../../../domain/journey/notification.ts';
import {
  readNotifications, type ReadNotification,
} from '../../../domain/journey/read-notifications.ts';
import type { Answer, Call, Operation } from '../../../kernel/http.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { ProofImages } from '../../../kernel/images.ts';
import { shipmentSubject, type PersonalSeals, type SubjectKeys } from '../../../kernel/personal.ts';
import type { OutgoingRecord, RecordLog } from '../../../kernel/record-log.ts';
import type { ShipmentStates } from '../../../kernel/shipments.ts';
import type { AcceptedResponse } from '../../../../schemas/generated/types.ts';
import { fromCatalog } from '../../common/catalog.ts';
import { notificationErrors } from '../error-form.ts';
import { confirmShipments, ownShipments, type OwnConfig, type OwnPorts } from '../own-shipments.ts';

/** What the push needs from outside. */
export interface PushPorts extends OwnPorts {
  readonly shipments: ShipmentStates;
  readonly images: ProofImages;
  readonly personal: PersonalSeals;
  readonly log: RecordLog;
  readonly ids: Ids;
}

const TOPIC = 'shipment.notifications.v1';

/**
 * `POST /shipping/tracking/notifications`: what carriers tell about shipments, one or up to 500,
 * all or none (interface, 4; decisions.md, Push of notifications). 202 says that every one of them
 * is durable; what comes of it is decided behind the log, so that it depends on the log alone.
 */
export function pushNotifications(config: OwnConfig, ports: PushPorts): Operation {
  return {
    ...fromCatalog('push-notifications'),
    keepsNumbers: true,
    errors: notificationErrors,
    handle: (call) => handle(config, ports, call),
  };
}

async function handle(config: OwnConfig, ports: PushPorts, call: Call): Promise<Answer> {
  const reading = readNotifications(Buffer.from(call.canonical).toString('utf8'), ports.images);
  if (!reading.ok) return { kind: 'refusal', ...reading.refusal };
  const shipments = byShipment(reading.notifications);
  const trackingNumbers = [...shipments.keys()];
  const claimed = await ownShipments(config, ports, call, trackingNumbers);
  if (claimed === 'foreign') {
    return {
      kind: 'refusal', code: 'shipment_not_allowed',
      detail: 'A shipment of this call belongs to another carrier.',
    };
  }
  const ingestId = ports.ids.ingestId();
  const subjects = reading.notifications.flatMap(subjectsOf);
  const keys = await ports.personal.forWriting(subjects, call.deadlineMs);
  await appendAll({ ports, call, ingestId, keys }, [...shipments.values()]);
  if (claimed === 'reserved') {
    await confirmShipments(config, ports, call, trackingNumbers);
  }
  const body: AcceptedResponse = { status: 202, message: 'Accepted' };
  return { kind: 'answer', status: 202, body, headers: { 'Ingest-Id': ingestId } };
}

/** What all notifications of one call have in common. */
interface Receipt {
  readonly ports: PushPorts;
  readonly call: Call;
  readonly ingestId: string;
  readonly keys: SubjectKeys;
}

/** Their order within a call is the order in which they were received. */
function byShipment(
  notifications: readonly ReadNotification[],
): ReadonlyMap<string, readonly ReadNotification[]> {
  return Map.groupBy(notifications, ({ trackingNumber }) => trackingNumber);
}

/**
 * Side by side for different shipments, one after the other for the same: what a failure leaves
 * behind is the beginning of each shipment, and the repeated call brings the rest. Every append has
 * ended before this does.
 */
async function appendAll(
  receipt: Receipt, shipments: readonly (readonly ReadNotification[])[],
): Promise<void> {
  const endings = await Promise.allSettled(shipments.map(async (notifications) => {
    for (const each of notifications) {
      await receipt.ports.log.append(await recordOf(receipt, each), receipt.call.deadlineMs);
    }
  }));
  for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
}

/** The image is durable before the record that refers to it. After an erasure none is kept. */
async function recordOf(
  { ports: { images }, call, ingestId, keys }: Receipt, each: ReadNotification,
): Promise<OutgoingRecord> {
  const { trackingNumber, notification, image } = each;
  const isKept = image !== undefined && !keys.isErased(shipmentSubject(trackingNumber));
  const kept = isKept ? await images.keep(trackingNumber, image) : undefined;
  const recorded = notificationRecorded(keys, trackingNumber, notification, kept);
  return {
    topic: TOPIC,
    key: trackingNumber,
    value: Buffer.from(JSON.stringify(recorded)),
    headers: {
      'ingest-id': ingestId,
      'received-at': String(call.receivedAtMs),
      client: call.caller?.clientId ?? '',
      source: 'push',
    },
  };
}
