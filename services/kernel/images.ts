import type { ImageReference } from '../../schemas/generated/types.ts';
import type { TrackingNumber } from './ids.ts';
import type { LongText } from './long-text.ts';
import type { Steps } from './steps.ts';

/** What the log says about an image that is kept apart. */
export type { ImageReference };

/** A proof of delivery as it was sent, decoded. */
export interface ProofImage {
  readonly bytes: Uint8Array;
  readonly media_type: ImageReference['media_type'];
  /** Why the type is unknown; then the bytes are the text that was sent. */
  readonly flag?: ImageReference['flag'];
}

/**
 * Proofs of delivery, encrypted and apart from the log. Keeping and finding reject with Unavailable
 * `images_unavailable`. The same image of the same shipment is kept once.
 */
export interface ProofImages {
  /** The image in a text, whatever it holds; undefined for an empty one. */
  read(base64: string): ProofImage | undefined;
  /** The same for a text of any length, in steps. */
  readLong(text: LongText): Steps<ProofImage | undefined>;
  /** Resolves once the image is durable. */
  keep(trackingNumber: TrackingNumber, image: ProofImage): Promise<ImageReference>;
  /** A kept image as the text of a push again. */
  write(bytes: Uint8Array, mediaType: ProofImage['media_type']): string;
  find(trackingNumber: TrackingNumber, reference: ImageReference): Promise<Uint8Array | undefined>;
  /** Makes every image of a shipment unreadable forever, also in copies. */
  erase(trackingNumber: TrackingNumber): Promise<void>;
}
