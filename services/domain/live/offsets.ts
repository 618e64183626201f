/** One partition that a feed follows. */
export interface FeedPartition {
  readonly topic: string;
  /** Changes when the topic is made again under its name. */
  readonly topicId: string;
  readonly partition: number;
}

/** The partitions of a feed, those of one topic one behind the other, from 0 on. */
export type FeedLayout = readonly FeedPartition[];

/** For each partition of a layout the offset of the record that comes next. */
export type FeedOffsets = readonly number[];

/** A place that was read, or why it is none of this layout. */
export type OffsetsReading =
  { readonly offsets: FeedOffsets } | { readonly not: 'unreadable' | 'remade' };

const BYTE = 256;
const SEVEN_BITS = 128;
const HASH_BYTES = 4;

/**
 * A place in few bytes: of each topic a hash of its id, then its offsets, each as seven bits a
 * byte, the lowest first.
 */
export function writeOffsets(layout: FeedLayout, offsets: FeedOffsets): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  layout.forEach(({ topicId, partition }, at) => {
    if (partition === 0) pushHash(bytes, topicId);
    pushNumber(bytes, offsets[at] ?? 0);
  });
  return Uint8Array.from(bytes);
}

/** Reads what {@link writeOffsets} wrote for the same topics; a topic made again is another one. */
export function readOffsets(layout: FeedLayout, bytes: Uint8Array): OffsetsReading {
  let at = 0;
  const offsets: number[] = [];
  for (const { topicId, partition } of layout) {
    if (partition === 0) {
      const hash: number[] = [];
      pushHash(hash, topicId);
      if (at + HASH_BYTES > bytes.length) return { not: 'unreadable' };
      if (hash.some((byte, nth) => bytes[at + nth] !== byte)) return { not: 'remade' };
      at += HASH_BYTES;
    }
    let offset = 0;
    for (let weight = 1; ; weight *= SEVEN_BITS) {
      const byte = bytes[at];
      at += 1;
      if (byte === undefined) return { not: 'unreadable' };
      offset += (byte % SEVEN_BITS) * weight;
      if (byte < SEVEN_BITS) break;
    }
    if (!Number.isSafeInteger(offset)) return { not: 'unreadable' };
    offsets.push(offset);
  }
  return at === bytes.length ? { offsets } : { not: 'unreadable' };
}

/** True when no partition of the one is behind the other's. */
export function isAtOrBefore(one: FeedOffsets, other: FeedOffsets): boolean {
  return one.every((offset, at) => offset <= (other[at] ?? 0));
}

/** The further of two places in each partition. */
export function furthest(one: FeedOffsets, other: FeedOffsets | undefined): FeedOffsets {
  return other === undefined ? one : one.map((offset, at) => Math.max(offset, other[at] ?? 0));
}

/** How many records lie between two places at most. */
export function recordsBetween(from: FeedOffsets, to: FeedOffsets): number {
  return from.reduce((sum, offset, at) => sum + Math.max(0, (to[at] ?? 0) - offset), 0);
}

/** The place of those partitions alone that are of the named topics. */
export function partOf(
  layout: FeedLayout, offsets: FeedOffsets, topics: ReadonlySet<string>,
): { readonly layout: FeedLayout; readonly offsets: FeedOffsets } {
  const indexes = layout.flatMap(({ topic }, at) => topics.has(topic) ? [at] : []);
  return {
    layout: indexes.map((at) => layout[at]).filter((each) => each !== undefined),
    offsets: indexes.map((at) => offsets[at] ?? 0),
  };
}

function pushNumber(bytes: number[], value: number): void {
  let left = value;
  while (left >= SEVEN_BITS) {
    bytes.push(left % SEVEN_BITS + SEVEN_BITS);
    left = Math.floor(left / SEVEN_BITS);
  }
  bytes.push(left);
}

/** FNV-1a of the text, the lowest byte first. */
function pushHash(bytes: number[], text: string): void {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  }
  let left = hash >>> 0;
  for (let byte = 0; byte < HASH_BYTES; byte += 1) {
    bytes.push(left % BYTE);
    left = Math.floor(left / BYTE);
  }
}
