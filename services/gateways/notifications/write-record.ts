import { partsOfRecord, type RecordedBeside } from '../../domain/journey/notification.ts';
import type { TrackingNumber } from '../../kernel/ids.ts';
import { jsonPieces } from '../../kernel/json-pieces.ts';
import type { LongTexts } from '../../kernel/long-text.ts';
import { shipmentSubject, type SubjectKeys } from '../../kernel/personal.ts';
import { sealedJsonInSteps } from '../../kernel/sealed-json.ts';
import type { NotificationRecorded } from '../../kernel/shipments.ts';
import type { Steps } from '../../kernel/steps.ts';

/** The value of the record of a notification, written in steps: it may have megabytes. */
export function* writtenRecord(
  keys: Pick<SubjectKeys, 'sealLong'>, trackingNumber: TrackingNumber,
  notification: NotificationRecorded['notification'], beside: RecordedBeside, texts: LongTexts,
): Steps<Uint8Array> {
  const { clear, personal } = partsOfRecord(notification, beside);
  const sealed = personal === undefined ? undefined : yield* keys.sealLong(
    'NotificationRecorded', shipmentSubject(trackingNumber),
    (isSorted) => jsonPieces(personal, texts, { isSorted }),
  );
  return yield* sealedJsonInSteps(jsonPieces(clear, texts), sealed);
}
