import { parseExact } from '../../kernel/exact-json.ts';
import type { FieldError, Refusal } from '../../kernel/http.ts';
import type { ProofImage, ProofImages } from '../../kernel/images.ts';
import { IMAGE_BYTES_MAX, LISTED_FAULTS_MAX } from '../../kernel/limits.ts';
import { cutImage, type CutNotification } from './notification.ts';

/** One notification of a call or of a carrier's feed, ready for the log. */
export interface ReadNotification extends Omit<CutNotification, 'image'> {
  readonly image: ProofImage | undefined;
}

/** The notifications of a body in their order, or why it cannot be taken. */
export type NotificationsReading =
  | { readonly ok: true; readonly notifications: readonly ReadNotification[] }
  | { readonly ok: false; readonly refusal: Refusal };

const IMAGE_FAULT = `must be a PNG or JPEG of at most ${IMAGE_BYTES_MAX} bytes in Base64.`;

/**
 * Takes a validated body apart, one or many, with numbers as they were written, and its images
 * decoded. Images are the only thing about a body that its schema cannot validate. Pushed and
 * pulled notifications are read alike.
 */
export function readNotifications(
  body: string, images: Pick<ProofImages, 'read'>,
): NotificationsReading {
  const sent = parseExact(body);
  const isList = Array.isArray(sent);
  const list: readonly unknown[] = isList ? sent : [sent];
  const notifications: ReadNotification[] = [];
  const errors: FieldError[] = [];
  list.forEach((each, index) => {
    const cut = cutImage(each);
    const image = cut.image === undefined ? undefined : images.read(cut.image);
    if (cut.image !== undefined && image === undefined) {
      const pointer = `${isList ? `/${index}` : ''}/payload/proof_of_delivery/image`;
      errors.push({ pointer, code: 'format', message: IMAGE_FAULT });
    }
    notifications.push({ ...cut, image });
  });
  const [first] = errors;
  if (first === undefined) return { ok: true, notifications };
  return {
    ok: false,
    refusal: {
      code: 'validation_failed',
      detail: `${first.pointer} ${first.message}`,
      errors: errors.slice(0, LISTED_FAULTS_MAX),
    },
  };
}
