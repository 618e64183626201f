import type { Fields } from '../../kernel/json-fields.ts';
import {
  shipmentSubject, type SealedPersonal, type Subject, type SubjectKeys,
} from '../../kernel/personal.ts';
import type {
  ImageReference, NotificationRecorded, ShipmentOwner,
} from '../../kernel/shipments.ts';
import { joinPersonal, splitPersonal } from '../personal/split.ts';
import type { TrackingNumber } from '../../kernel/ids.ts';
import { canonicalNumber } from './canonical-number.ts';

/** A notification as sent, its image cut out. */
export interface CutNotification {
  /** In the form that is compared, so that every spelling has one place in the log. */
  readonly trackingNumber: TrackingNumber;
  readonly notification: NotificationRecorded['notification'];
  /** The text of `payload.proof_of_delivery.image`, where there is one. */
  readonly image: string | undefined;
}

/** Takes the image out of a notification that follows its schema; everything else stays. */
export function cutImage(sent: unknown): CutNotification {
  const fields = sent as Fields & NotificationRecorded['notification'];
  const trackingNumber = canonicalNumber(fields.tracking_number);
  const proof = fields.payload.proof_of_delivery;
  if (proof?.image === undefined) return { trackingNumber, notification: fields, image: undefined };
  const { image, ...rest } = proof;
  const notification = { ...fields, payload: { ...fields.payload, proof_of_delivery: rest } };
  return { trackingNumber, notification, image };
}

/** A notification out of the log as it was sent: {@link cutImage} the other way round. */
export function putImageBack(recorded: unknown, image: string): unknown {
  const fields = recorded as Fields & NotificationRecorded['notification'];
  const proof = { ...fields.payload.proof_of_delivery, image };
  return { ...fields, payload: { ...fields.payload, proof_of_delivery: proof } };
}

/** What is recorded beside a notification. */
export interface RecordedBeside {
  /** Where its image is. */
  readonly image?: ImageReference | undefined;
  /** Whose its number was known to be. */
  readonly owner?: ShipmentOwner | undefined;
}

/**
 * The fact that goes into the log, what is personal sealed with the key of the shipment, or left
 * out when the shipment was erased.
 */
export function notificationRecorded(
  keys: Pick<SubjectKeys, 'seal'>, trackingNumber: TrackingNumber,
  notification: NotificationRecorded['notification'], beside: RecordedBeside,
): NotificationRecorded {
  const { clear, personal } = partsOfRecord(notification, beside);
  const sealed = personal === undefined
    ? undefined
    : keys.seal('NotificationRecorded', shipmentSubject(trackingNumber), personal);
  return { ...clear, ...(sealed === undefined ? {} : { personal: sealed }) };
}

/** A record in two: what stays in clear, and the members that must be sealed. */
export function partsOfRecord(
  notification: NotificationRecorded['notification'], { image, owner }: RecordedBeside,
): { readonly clear: NotificationRecorded; readonly personal: Fields | undefined } {
  const { clear, personal } = splitPersonal('NotificationRecorded', { notification });
  return {
    personal,
    clear: {
      type: 'NotificationRecorded', ...clear,
      ...(owner === undefined ? {} : { owner }),
      ...(image === undefined ? {} : { image }),
    },
  };
}

/** Whose keys a notification needs before it can be recorded: its shipment's, or none. */
export function subjectsOf(
  { trackingNumber, notification, image }: Omit<CutNotification, 'image'> & { image: unknown },
): readonly Subject[] {
  const { personal } = splitPersonal('NotificationRecorded', { notification });
  return personal === undefined && image === undefined ? [] : [shipmentSubject(trackingNumber)];
}

/** A notification out of the log as it was sent; after an erasure, what is not personal of it. */
export function openNotification(
  keys: Pick<SubjectKeys, 'open'>, trackingNumber: TrackingNumber,
  notification: unknown, sealed: SealedPersonal | undefined,
): unknown {
  if (sealed === undefined) return notification;
  const personal = keys.open('NotificationRecorded', shipmentSubject(trackingNumber), sealed);
  const joined = joinPersonal({ notification }, personal) as { readonly notification: unknown };
  return joined.notification;
}
