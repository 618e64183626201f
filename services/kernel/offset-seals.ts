/**
 * Turns a place in the log into a text that only this deployment can read: it says nothing to its
 * holder of what others send, and a made-up one is refused. Any copy reads what another wrote.
 */
export interface OffsetSeals {
  /** `feed` names what the place is of; the text is good for that alone. */
  seal(offsets: Uint8Array, feed: string): string;
  /** The place; undefined for any other text. */
  open(text: string, feed: string): Uint8Array | undefined;
}
