import type { ImageReference, NotificationRecorded } from '../../kernel/shipments.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A notification as sent, its image cut out. */
export interface CutNotification {
  /** Without the blanks around it: one spelling, hence one place in the log. */
  readonly trackingNumber: string;
  readonly notification: NotificationRecorded['notification'];
  /** The text of `payload.proof_of_delivery.image`, where there is one. */
  readonly image: string | undefined;
}

/** Takes the image out of a notification that follows its schema; everything else stays. */
export function cutImage(sent: unknown): CutNotification {
  const fields = sent as Fields & NotificationRecorded['notification'];
  const trackingNumber = fields.tracking_number.trim();
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

/** The fact that goes into the log. */
export function notificationRecorded(
  notification: NotificationRecorded['notification'], image: ImageReference | undefined,
): NotificationRecorded {
  return {
    type: 'NotificationRecorded', notification, ...(image === undefined ? {} : { image }),
  };
}
