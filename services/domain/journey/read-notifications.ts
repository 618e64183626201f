import type { SentBody } from '../../kernel/http.ts';
import type { ProofImage, ProofImages } from '../../kernel/images.ts';
import { STEP_BYTES, type Steps } from '../../kernel/steps.ts';
import { cutImage, type CutNotification } from './notification.ts';

/** One notification of a call or of a carrier's feed, ready for the log. */
export interface ReadNotification extends Omit<CutNotification, 'image'> {
  readonly image: ProofImage | undefined;
}

/**
 * Takes a validated body apart, one or many, and decodes its images, in steps. An image is never a
 * reason to refuse what was delivered. Pushed and pulled notifications are read alike.
 */
export function* readNotifications(
  { value, texts }: SentBody, images: Pick<ProofImages, 'read' | 'readLong'>,
): Steps<readonly ReadNotification[]> {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const read: ReadNotification[] = [];
  let characters = 0;
  for (const each of list) {
    const { image: text = '', ...cut } = cutImage(each);
    const long = texts.get(text);
    const image = long === undefined ? images.read(text) : yield* images.readLong(long);
    read.push({ ...cut, image });
    characters += text.length;
    if (characters < STEP_BYTES) continue;
    yield;
    characters = 0;
  }
  return read;
}
