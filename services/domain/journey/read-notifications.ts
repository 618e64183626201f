import { parseExact, withoutNulls } from '../../kernel/exact-json.ts';
import type { ProofImage, ProofImages } from '../../kernel/images.ts';
import { cutImage, type CutNotification } from './notification.ts';

/** One notification of a call or of a carrier's feed, ready for the log. */
export interface ReadNotification extends Omit<CutNotification, 'image'> {
  readonly image: ProofImage | undefined;
}

/**
 * Takes a validated body apart, one or many, with numbers as they were written, and its images
 * decoded. An image is never a reason to refuse what was delivered. Pushed and pulled notifications
 * are read alike.
 */
export function readNotifications(
  body: string, images: Pick<ProofImages, 'read'>,
): readonly ReadNotification[] {
  const sent = withoutNulls(parseExact(body));
  const list: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
  return list.map((each) => {
    const cut = cutImage(each);
    return { ...cut, image: cut.image === undefined ? undefined : images.read(cut.image) };
  });
}
