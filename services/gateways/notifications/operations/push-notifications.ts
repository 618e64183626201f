import { setImmediate } from 'node:timers/promises';
import { notificationRecorded, subjectsOf } from '../../../domain/journey/notification.ts';
import {
  readNotifications, type ReadNotification,
} from '../../../domain/journey/read-notifications.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { Ids, TrackingNumber } from '../../../kernel/ids.ts';
import type { ProofImages } from '../../../kernel/images.ts';
import { shipmentSubject, type PersonalSeals, type SubjectKeys } from '../../../kernel/personal.ts';
import type { OutgoingRecord, RecordLog } from '../../../kernel/record-log.ts';
import { fitsTopic, tooLarge } from '../../../kernel/record-size.ts';
import { sealedJson } from '../../../kernel/sealed-json.ts';
import { finishInSteps, STEP_BYTES } from '../../../kernel/steps.ts';
import type { ShipmentOwner, ShipmentStates } from '../../../kernel/shipments.ts';
import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { AcceptedResponse } from '../../../../schemas/generated/types.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { notificationErrors } from '../../common/notification-errors.ts';
import { writtenRecord } from '../write-record.ts';

const TOPIC = TOPICS.notifications;
/** A record of more bytes is a sealed text for the most part, of which packing leaves most. */
const LONG_SEALED_BYTES_MIN = 524_288;

type PushCall = CallOf<'push-notifications'>;

/** What the push needs from outside. */
export interface PushPorts {
  readonly shipments: Pick<ShipmentStates, 'owners'>;
  readonly images: ProofImages;
  readonly personal: PersonalSeals;
  readonly log: RecordLog;
  readonly ids: Ids;
}

/**
 * `POST /shipping/tracking/notifications`: what carriers report about shipments, one or up to 500,
 * all or none (interface, 4; decisions.md, Push of notifications). 202 says that every one of them
 * is durable; its outcome is decided behind the log, so that it depends on the log alone. A number
 * of another carrier is no reason to refuse: its notification is kept apart (Whose shipment).
 * Whether each fits into the log is known before the first is appended.
 */
export function pushNotifications(ports: PushPorts): Operation {
  return defineOperation('push-notifications', {
    keepsNumbers: true,
    cutsLongTexts: true,
    errors: notificationErrors,
    admissionOf: (body) => ({ notifications: Array.isArray(body) ? body.length : 1 }),
    handle: (call) => handle(ports, call),
  });
}

async function handle(ports: PushPorts, call: PushCall): Promise<Answer> {
  const notifications = await finishInSteps(
    readNotifications(call.sent, ports.images), setImmediate,
  );
  const byNumber = Map.groupBy(notifications, ({ trackingNumber }) => trackingNumber);
  const owners = await ports.shipments.owners([...byNumber.keys()]);
  const keys = await ports.personal.forWriting(
    notifications.flatMap(subjectsOf), call.deadlineMs,
  );
  const ingestId = ports.ids.ingestId();
  const receipt = { ports, call, ingestId, keys, owners };
  const records = await eachShipment([...byNumber.values()], async (each) => (
    { of: each, record: await recordOf(receipt, each) }
  ), letOthersIn(call.canonical.length / notifications.length));
  const large = records.flat().find(({ record }) => !fitsTopic(record, TOPIC.message_bytes_max));
  if (large !== undefined) {
    const pointer = Array.isArray(call.sent.value) ? `/${notifications.indexOf(large.of)}` : '';
    return { kind: 'refusal', ...tooLarge(pointer) };
  }
  await eachShipment(records, ({ record }) => ports.log.append(record, call.deadlineMs));
  const body: AcceptedResponse = { status: 202, message: 'Accepted' };
  return { kind: 'answer', status: 202, body, headers: { 'Ingest-Id': ingestId } };
}

/** Makes what gives other calls their turn, after as many items as take milliseconds. */
function letOthersIn(bytesEach: number): (items: number) => Promise<void> | undefined {
  let bytesDone = 0;
  return (items) => {
    bytesDone += items * bytesEach;
    if (bytesDone < STEP_BYTES) return undefined;
    bytesDone = 0;
    return setImmediate();
  };
}

/** What all notifications of one call have in common. */
interface Receipt {
  readonly ports: PushPorts;
  readonly call: PushCall;
  readonly ingestId: string;
  readonly keys: SubjectKeys;
  /** Whose the numbers were known to be; the outcome of each notification depends on it. */
  readonly owners: ReadonlyMap<TrackingNumber, ShipmentOwner>;
}

/**
 * Side by side for different shipments, one after the other for the same: what a failure leaves
 * behind is the beginning of each shipment, and the repeated call brings the rest. Everything has
 * ended before this does.
 */
async function eachShipment<Item, Done>(
  shipments: readonly (readonly Item[])[], doOne: (item: Item) => Promise<Done>,
  pauseAfter: (items: number) => Promise<void> | undefined = () => undefined,
): Promise<Done[][]> {
  const begun = [];
  for (const items of shipments) {
    begun.push(Promise.allSettled([inOrder(items, doOne)]));
    await pauseAfter(items.length);
  }
  return (await Promise.all(begun)).flat().map((ending) => {
    if (ending.status === 'rejected') throw ending.reason;
    return ending.value;
  });
}

async function inOrder<Item, Done>(
  items: readonly Item[], doOne: (item: Item) => Promise<Done>,
): Promise<Done[]> {
  const done: Done[] = [];
  for (const item of items) done.push(await doOne(item));
  return done;
}

/** The image is durable before the record that refers to it. After an erasure none is kept. */
async function recordOf(
  { ports: { images }, call, ingestId, keys, owners }: Receipt, each: ReadNotification,
): Promise<OutgoingRecord> {
  const { trackingNumber, notification, image } = each;
  const isKept = image !== undefined && !keys.isErased(shipmentSubject(trackingNumber));
  const kept = isKept ? await images.keep(trackingNumber, image) : undefined;
  const beside = { image: kept, owner: owners.get(trackingNumber) };
  const value = call.canonical.length <= STEP_BYTES
    ? sealedJson(notificationRecorded(keys, trackingNumber, notification, beside))
    : await finishInSteps(
      writtenRecord(keys, trackingNumber, notification, beside, call.sent.texts), setImmediate,
    );
  return {
    topic: TOPIC.name,
    key: trackingNumber,
    value,
    isDense: value.length > LONG_SEALED_BYTES_MIN,
    headers: {
      'ingest-id': ingestId,
      'received-at': String(call.receivedAtMs),
      client: call.caller.clientId,
      source: 'push',
    },
  };
}
